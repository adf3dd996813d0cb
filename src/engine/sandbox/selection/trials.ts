// Tries each way to enclose commands at most once, from the strongest on, and remembers what came of it: a machine does not
// change its mind while a process lives, and a command must not wait for trials that were made before.
import { findHostHelper } from '../../process/find-host-helper.ts';
import { layBait } from './bait.ts';
import type { Candidate } from './candidate.ts';
import { type HostFacts, readHostFacts } from './host-facts.ts';
import type { CandidateProbe, CapEnforcement } from './sandbox-probe.ts';
import { noTrialMemory, type TrialMemory } from './trial-memory.ts';
import { type Trial, tryEnclosure } from './try-enclosure.ts';
import { tryStaging } from './try-staging.ts';

export interface Trials {
  /** From the strongest to the weakest. */
  readonly candidates: readonly Candidate[];
  /** Whether this one works, or is known to have worked. */
  attempt(candidate: Candidate): Promise<Attempt>;
  /** Everything about it that people want to know; costs more than an attempt. */
  examine(candidate: Candidate): Promise<CandidateProbe>;
}

/** A trial, or what is known without one. */
export type Attempt = Pick<Extract<Trial, { kind: 'works' }>, 'kind' | 'backend'> | Exclude<Trial, { kind: 'works' }>;

export interface TrialOptions {
  readonly facts?: HostFacts;
  readonly memory?: TrialMemory;
}

export function createTrials(
  candidates: readonly Candidate[],
  { facts = readHostFacts(), memory = noTrialMemory }: TrialOptions = {},
): Trials {
  const made = new Map<Candidate, Promise<Trial>>();
  const tryOnce = (candidate: Candidate): Promise<Trial> => {
    const trial = made.get(candidate) ?? tryCandidate(candidate, facts);
    made.set(candidate, trial);
    return trial;
  };
  return {
    candidates,
    async attempt(candidate) {
      const { id, backend } = candidate;
      if (!('kind' in backend) && memory.hasWorked(id)) return { kind: 'works', backend };
      const trial = await tryOnce(candidate);
      if (trial.kind === 'works') memory.keep(id);
      return trial;
    },
    examine: async (candidate) => examineCandidate(candidate, await tryOnce(candidate), facts),
  };
}

async function tryCandidate({ backend }: Candidate, facts: HostFacts): Promise<Trial> {
  if ('kind' in backend) return { kind: 'fails', reason: backend.reason, advice: backend.advice };
  try {
    await using bait = await layBait();
    const options = { backend, bait, facts, perl: findHostHelper('perl') };
    const trial = await tryEnclosure(options);
    // On a machine that is very busy one alone may fail, and something weaker would be taken from then on.
    return trial.kind === 'works' ? trial : await tryEnclosure(options);
  } catch (error) {
    return { kind: 'fails', reason: error instanceof Error ? error.message : String(error), advice: null };
  }
}

async function examineCandidate(candidate: Candidate, trial: Trial, facts: HostFacts): Promise<CandidateProbe> {
  const { id } = candidate;
  const version = candidate.version();
  if (trial.kind === 'fails') return { id, ok: false, version, reason: trial.reason, advice: trial.advice };
  await using bait = await layBait();
  const staging = await tryStaging(trial.backend, bait, facts);
  return { id, ok: true, version, caps: toCapEnforcement(trial), staging };
}

function toCapEnforcement({ keptByKernel }: Extract<Trial, { kind: 'works' }>): CapEnforcement {
  const by = (limit: Parameters<typeof keptByKernel.has>[0]) => (keptByKernel.has(limit) ? 'kernel' : 'polled');
  return {
    wall: by('wallMs'),
    cpu: by('cpuMs'),
    memory: by('memoryBytes'),
    processes: by('processes'),
    output: by('writtenBytes'),
    file: by('fileBytes'),
    disk: by('diskBytes'),
  };
}
