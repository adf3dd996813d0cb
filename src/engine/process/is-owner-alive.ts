// Decides whether the process that holds a lease or a lock still lives. Wrong in one direction only: what cannot be seen
// from here (another machine, another pid namespace, an empty answer of the system) is presumed alive, because two drivers
// of one run would pay and act twice.
import {
  type ProcessIdentity,
  type ProcessState,
  readProcessState,
  readSystemIdentity,
  type SystemIdentity,
} from './process-identity.ts';

export interface OwnerLife {
  readonly alive: boolean;
  /** How that was decided, as words for people. */
  readonly why: string;
}

/** What the decision looks at; the defaults ask the system. */
export interface OwnerLifeSources {
  readonly system: SystemIdentity;
  readonly readState: (pid: number) => ProcessState | null;
}

/** Whether `owner` lives, seen from the calling process. */
export function isOwnerAlive(owner: ProcessIdentity, sources: OwnerLifeSources = createSources()): OwnerLife {
  const { system } = sources;
  if (owner.machineId !== system.machineId) return { alive: true, why: 'its owner is on another machine' };
  if (isOther(owner.bootId, system.bootId)) return { alive: false, why: 'the machine was restarted since' };
  if (owner.pidNamespace !== system.pidNamespace) return { alive: true, why: 'its owner is in another pid namespace' };
  const state = sources.readState(owner.pid);
  if (state === null || state.ended) return { alive: false, why: `process ${owner.pid} has ended` };
  if (isOther(owner.startTime, state.startTime))
    return { alive: false, why: `process ${owner.pid} is another one by now` };
  return { alive: true, why: `process ${owner.pid} drives it` };
}

/** Only two answers can contradict each other. */
function isOther(recorded: string, now: string): boolean {
  return recorded !== '' && now !== '' && recorded !== now;
}

function createSources(): OwnerLifeSources {
  return { system: readSystemIdentity(), readState: readProcessState };
}
