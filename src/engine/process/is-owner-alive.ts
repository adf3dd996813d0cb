// Decides whether the process that holds a lease or a lock still lives. Wrong in one direction only: what cannot be seen
// from here (another machine, another pid namespace without a sign of life that can be tested, an empty answer of the
// system) is presumed alive, because two drivers of one run would pay and act twice.
import {
  type ProcessIdentity,
  type ProcessState,
  readProcessState,
  readSystemIdentity,
  type SystemIdentity,
} from './process-identity.ts';

export interface OwnerLife {
  readonly alive: boolean;
  /** It was seen to be so; otherwise it is only presumed alive. */
  readonly certain: boolean;
  /** How that was decided, as words for people. */
  readonly why: string;
}

/** What a lock that its owner holds for as long as it lives tells; `unknown` where there is none, or it cannot be tested. */
export type LivenessSign = 'held' | 'free' | 'unknown';

/** What the decision looks at; the defaults ask the system. */
export interface OwnerLifeSources {
  readonly system: SystemIdentity;
  readonly readState: (pid: number) => ProcessState | null;
  /** Asked only where pids tell nothing. */
  readonly readSign?: () => LivenessSign;
}

/** Whether `owner` lives, seen from the calling process. */
export function isOwnerAlive(owner: ProcessIdentity, sources: OwnerLifeSources = createSources()): OwnerLife {
  const { system } = sources;
  // Containers may each call themselves a machine; a boot id they have in common is that of one kernel.
  if (owner.machineId !== system.machineId)
    return bySign(isSame(owner.bootId, system.bootId) ? sources : {}, 'on another machine');
  if (isOther(owner.bootId, system.bootId)) return dead('the machine was restarted since');
  if (owner.pidNamespace !== system.pidNamespace) return bySign(sources, 'in another pid namespace');
  const state = sources.readState(owner.pid);
  if (state === null || state.ended) return dead(`process ${owner.pid} has ended`);
  if (isOther(owner.startTime, state.startTime)) return dead(`process ${owner.pid} is another one by now`);
  return { alive: true, certain: isSame(owner.startTime, state.startTime), why: `process ${owner.pid} drives it` };
}

function bySign({ readSign }: Pick<OwnerLifeSources, 'readSign'>, place: string): OwnerLife {
  switch (readSign?.() ?? 'unknown') {
    case 'free':
      return dead(`its owner ${place} has ended`);
    case 'held':
      return { alive: true, certain: true, why: `its owner ${place} is at work` };
    case 'unknown':
      return { alive: true, certain: false, why: `its owner is ${place}` };
  }
}

const dead = (why: string): OwnerLife => ({ alive: false, certain: true, why });

/** An unknown answer is like no other. */
const isSame = (recorded: string, now: string): boolean => recorded !== '' && recorded === now;

/** Only two answers can contradict each other. */
function isOther(recorded: string, now: string): boolean {
  return recorded !== '' && now !== '' && recorded !== now;
}

function createSources(): OwnerLifeSources {
  return { system: readSystemIdentity(), readState: readProcessState };
}
