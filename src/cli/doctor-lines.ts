// What was found out about a machine, as people read it: the answer first, then what it rests on, and last what would make
// it better.
import type { SandboxReport } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';

type Candidate = SandboxReport['sandbox']['candidates'][number];
type Working = Extract<Candidate, { ok: true }>;

export function toDoctorLines(report: SandboxReport): string[] {
  const { sandbox, cgroup } = report;
  const selected = sandbox.candidates.find((candidate) => candidate.ok && candidate.id === sandbox.selected);
  return [
    toAnswer(report),
    ...toRows([...toSystemRows(report), ...sandbox.candidates.map(toCandidateRow)]),
    ...(selected?.ok === true ? toRows(toSelectedRows(selected, report)) : []),
    ...toRows([
      ...(isLinux(report) ? [toCgroupRow(cgroup)] : []),
      ...report.toolchains.map(({ name, program }): Row => [name, program]),
      ...toImprovements(report).map((advice): Row => ['to improve', toAdvice(advice)]),
    ]),
  ];
}

type Row = readonly [name: string, value: string];

const toRows = (rows: readonly Row[]): string[] =>
  rows.map(([name, value]) => `  ${name.padEnd(12)}${toVisible(value)}`);

function toAnswer({ sandbox: { selected, minimum } }: SandboxReport): string {
  if (selected === null) return 'Commands do not run here: nothing encloses them.';
  if (selected !== 'none') return `Commands run enclosed by ${selected}.`;
  return `Commands run with no more than caps: nothing encloses them here, and your policy says "${minimum}".`;
}

const isLinux = ({ system }: SandboxReport): boolean => system.platform === 'linux';

function toSystemRows(report: SandboxReport): Row[] {
  const { system, node, home, helpers } = report;
  const user = system.facts.isRoot ? ', as the superuser' : '';
  const missing = Object.entries(helpers).flatMap(([name, path]) => (path === null ? [name] : []));
  return [
    ['system', `${system.platform} ${system.release}, ${system.architecture}${user}`],
    ['engine', `Node ${node.version} (${node.path})`],
    ['home', home],
    ['git', helpers.git ?? 'not found'],
    ...(isLinux(report) ? [] : [untested]),
    // What is missing elsewhere is not missed.
    ...(missing.length === 0 || !isLinux(report) ? [] : [['missing', missing.join(', ')] as const]),
  ];
}

const untested: Row = ['sandbox', 'not run on this system by the tests of the project'];

function toCgroupRow(cgroup: SandboxReport['cgroup']): Row {
  if (!cgroup.delegated) return ['cgroup v2', `not delegated: ${cgroup.reason}`];
  const kept = cgroup.controllers.map((name) => cappedBy[name]).join(' and ') || 'neither memory nor processes';
  return ['cgroup v2', `delegated (${cgroup.path}): the kernel keeps ${kept}, and counts processor time`];
}

const cappedBy = { memory: 'memory', pids: 'processes' } as const;

function toCandidateRow(candidate: Candidate): Row {
  const version = candidate.version === null ? '' : ` (${candidate.version})`;
  if (!candidate.ok) return [candidate.id, `no${version}: ${candidate.reason}`];
  return [candidate.id, `works${version}${candidate.id === 'none' ? ', encloses nothing' : ''}`];
}

function toSelectedRows({ caps, staging }: Working, report: SandboxReport): Row[] {
  const namesOf = (enforcement: string): string =>
    Object.entries(caps)
      .flatMap(([name, by]) => (by === enforcement ? [name] : []))
      .join(', ');
  return [
    ['caps', `by the kernel: ${namesOf('kernel') || 'none'}; by looking: ${namesOf('polled') || 'none'}`],
    ['workspace', toStaging(staging, report)],
  ];
}

function toStaging(staging: Working['staging'], { system }: SandboxReport): string {
  switch (staging.kind) {
    case 'overlay':
      return system.facts.isRoot ? 'an overlay over an id-mapped mount' : 'an overlay in a user namespace';
    case 'copy':
      return 'a copy for each command';
    case 'none':
      return `none: ${staging.reason}`;
  }
}

/** What would enclose commands comes first. */
function toImprovements({ improvement, cgroup }: SandboxReport) {
  const advice = cgroup.delegated ? null : cgroup.advice;
  return [improvement, advice].filter((each) => each !== null);
}

const toAdvice = ({ text, command }: NonNullable<SandboxReport['improvement']>): string =>
  command === null ? text : `${text}: ${command}`;
