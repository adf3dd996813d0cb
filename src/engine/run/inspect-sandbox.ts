// What this machine can do to enclose commands, found out by trying. Starts trial commands and changes nothing.
import { arch, platform, release } from 'node:os';
import { loadSandboxSettings } from '../guard/load-sandbox-settings.ts';
import { findHostHelper } from '../process/find-host-helper.ts';
import { createSandbox } from '../sandbox/select-sandbox.ts';
import type { Advice } from '../sandbox/selection/advise.ts';
import { type HostFacts, readHostFacts } from '../sandbox/selection/host-facts.ts';
import { listCandidates } from '../sandbox/selection/list-candidates.ts';
import { type CgroupProbe, probeCgroup } from '../sandbox/selection/probe-cgroup.ts';
import type { SandboxProbe } from '../sandbox/selection/sandbox-probe.ts';
import { createTrials } from '../sandbox/selection/trials.ts';
import { type DescribedToolchain, describeToolchains } from '../sandbox/toolchain/describe-toolchains.ts';

export interface SandboxReport {
  readonly system: {
    readonly platform: string;
    readonly release: string;
    readonly architecture: string;
    readonly facts: HostFacts;
  };
  readonly node: { readonly version: string; readonly path: string };
  readonly home: string;
  /** Programs of the host that the engine relies on; null where there is none to be trusted. */
  readonly helpers: Readonly<Record<'bwrap' | 'git' | 'perl' | 'prlimit', string | null>>;
  readonly sandbox: SandboxProbe;
  /** Commands run enclosed here. */
  readonly isIsolated: boolean;
  readonly cgroup: CgroupProbe;
  readonly toolchains: readonly DescribedToolchain[];
  /** What a person can do first to have commands enclosed more strongly; null when nothing is known to help. */
  readonly improvement: Advice | null;
}

/** Throws `policy-invalid` when the person's policy cannot be used. */
export async function inspectSandbox(home: string): Promise<SandboxReport> {
  const settings = loadSandboxSettings(home);
  const trials = createTrials(listCandidates(settings));
  const sandbox = await createSandbox({ minimum: settings.minimumIsolation, trials }).probe();
  return {
    system: { platform: platform(), release: release(), architecture: arch(), facts: readHostFacts() },
    node: { version: process.version, path: process.execPath },
    home,
    helpers: {
      bwrap: findHostHelper('bwrap'),
      git: findHostHelper('git'),
      perl: findHostHelper('perl'),
      prlimit: findHostHelper('prlimit'),
    },
    sandbox,
    isIsolated: sandbox.selected !== null && sandbox.selected !== 'none',
    cgroup: probeCgroup(),
    toolchains: describeToolchains(),
    improvement: findImprovement(sandbox),
  };
}

/** Of what is stronger than what commands get, the strongest that something is known to help; then what staging lacks. */
function findImprovement({ selected, candidates }: SandboxProbe): Advice | null {
  for (const candidate of candidates) {
    if (!candidate.ok) {
      if (candidate.advice !== null) return candidate.advice;
      continue;
    }
    if (candidate.staging.kind === 'none' && candidate.staging.advice !== null) return candidate.staging.advice;
    if (candidate.id === selected) return null;
  }
  return null;
}
