// Runs the probes once, in a sandbox or plainly, and puts together what they say with what was seen from outside.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultLimits,
  type Leavings,
  type Sandbox,
  type SandboxDirectory,
  type SandboxSpec,
} from '../../../src/engine/sandbox/sandbox.ts';
import { openWorld, type World } from './open-world.ts';
import { ProbeAnswers } from './report.ts';

export type Mode = SandboxDirectory['mode'];

export const python = '/usr/bin/python3';
const source = readFileSync(join(import.meta.dirname, 'probes.py'), 'utf8');

/** A text is why nothing was started. */
export async function tryProbes(
  sandbox: Sandbox,
  mode: Mode,
  setIdProgram: string | null,
): Promise<ProbeAnswers | string> {
  await using world = await openWorld(setIdProgram);
  const spec: SandboxSpec = {
    argv: [python, '-I', '-c', source, JSON.stringify(world.fixture)],
    directory: toDirectory(sandbox, mode, world),
    environment: {},
    limits: { ...defaultLimits, wallMs: 30_000 },
  };
  const result = await sandbox.run(spec, AbortSignal.timeout(60_000));
  if (result.kind === 'not-started') return result.reason;
  if (result.kind !== 'exit' || result.code !== 0) throw new Error(`the probes did not end: ${JSON.stringify(result)}`);
  const answers = await judge(ProbeAnswers.parse(JSON.parse(result.stdout.text)), world);
  return { ...answers, ...judgeLeavings(result.leavings) };
}

/** Without any sandbox, as a child that is given an environment and a descriptor of its parent. */
export async function tryProbesPlainly(setIdProgram: string | null): Promise<ProbeAnswers> {
  await using world = await openWorld(setIdProgram);
  const descriptor = openSync('/etc/passwd', 'r');
  const child = spawnSync(python, ['-I', '-c', source, JSON.stringify(world.fixture)], {
    cwd: world.workspace,
    env: { PATH: '/usr/bin:/bin', MARKER: world.marker },
    stdio: ['ignore', 'pipe', 'inherit', descriptor],
    encoding: 'utf8',
  });
  closeSync(descriptor);
  return await judge(ProbeAnswers.parse(JSON.parse(child.stdout)), world);
}

function toDirectory({ isolation }: Sandbox, mode: Mode, { workspace, hidden }: World): SandboxDirectory {
  switch (mode) {
    case 'ephemeral':
      return { mode, files: [], collect: ['own-link'] };
    case 'staged':
      return { mode, workspace, hidden };
    case 'bound':
      // Elsewhere nothing is started in a workspace that is open to writing and holds something that is denied.
      return { mode, workspace, hidden: isolation === 'bwrap' ? hidden : [] };
  }
}

/** What would be taken over of what the probes left. */
function judgeLeavings(leavings: Leavings): ProbeAnswers {
  switch (leavings.kind) {
    case 'files':
      return { 'collect-link': leavings.files.has('own-link') ? ['reached', 'collected'] : ['contained', 'left out'] };
    case 'changes': {
      const modes = leavings.changes.map(({ after }) => (after === null || after.kind === 'link' ? 0 : after.mode));
      const isStripped = modes.every((mode) => (mode & ~0o777) === 0);
      return { 'take-over-set-id': isStripped ? ['contained', 'stripped'] : ['reached', 'kept'] };
    }
    default:
      return {};
  }
}

/** What these did inside says nothing: it may have been done to something of the sandbox's own. */
const judgedOutside = ['write-temporary', 'write-shared-memory', 'signal-everybody'];

async function judge(told: ProbeAnswers, world: World): Promise<ProbeAnswers> {
  const answers: ProbeAnswers = { ...told };
  for (const name of judgedOutside) {
    if (answers[name]?.[0] === 'reached') answers[name] = ['contained', 'only its own'];
  }
  for (const { what, by } of await world.readTouched()) {
    const [first = what] = by;
    if (!by.some((name) => answers[name]?.[0] === 'reached'))
      answers[first] = ['reached', `${what}, seen from outside`];
  }
  return answers;
}
