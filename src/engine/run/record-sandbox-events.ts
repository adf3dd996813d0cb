// Journals what enclosed a command of a call or of a check, and how its sandbox came to its end.
import type { EventPlace } from '../../shared/event.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { CallPorts } from './driver-ports.ts';

type Recording = Pick<CallPorts, 'recorder'>;

/** Whose command it is: that of a call, or the nth of the check that is under way. */
export type SandboxOwner = { readonly call: number } | { readonly check: number };

export interface CreatedSandbox {
  /** What a check runs there. */
  readonly program?: string;
  readonly isolation: string;
  /** It is given a way to some hosts. */
  readonly network: boolean;
}

export function recordSandboxCreated(
  { recorder }: Recording,
  place: EventPlace,
  owner: SandboxOwner,
  { network, ...created }: CreatedSandbox,
): void {
  recorder.emit(place, { type: 'sandbox-create', ...owner, ...created, ...(network ? { network } : {}) });
}

/** A cap is told by itself too: of what it would have written nobody hears otherwise. */
export function recordSandboxEnded(
  { recorder }: Recording,
  place: EventPlace,
  owner: SandboxOwner,
  ran: SandboxResult,
): void {
  if (ran.kind === 'not-started') {
    const nothing = { end: ran.kind, stage: ran.stage, survivors: 0, durationMs: 0 };
    recorder.emit(place, { type: 'sandbox-exit', ...owner, ...nothing });
    return;
  }
  if (ran.kind === 'cap')
    recorder.emit(place, { type: 'sandbox-cap', ...owner, ...ran.hit, atMs: Math.round(ran.hit.atMs) });
  recorder.emit(place, {
    type: 'sandbox-exit',
    ...owner,
    end: ran.kind,
    ...(ran.kind === 'exit' ? { code: ran.code } : {}),
    ...(ran.kind === 'signal' ? { signal: ran.signal } : {}),
    survivors: ran.survivors,
    durationMs: Math.round(ran.durationMs),
  });
}
