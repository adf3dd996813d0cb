// Journals what enclosed a command of a call, and how its sandbox came to its end.
import type { EventPlace } from '../../shared/event.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { DriverPorts } from './driver-ports.ts';

type Recording = Pick<DriverPorts, 'recorder'>;

export interface CreatedSandbox {
  readonly isolation: string;
  /** It is given a way to some hosts. */
  readonly network: boolean;
}

export function recordSandboxCreated(
  { recorder }: Recording,
  place: EventPlace,
  call: number,
  { isolation, network }: CreatedSandbox,
): void {
  recorder.emit(place, { type: 'sandbox-create', call, isolation, ...(network ? { network } : {}) });
}

/** A cap is told by itself too: of what it would have written nobody hears otherwise. */
export function recordSandboxEnded({ recorder }: Recording, place: EventPlace, call: number, ran: SandboxResult): void {
  if (ran.kind === 'not-started') {
    recorder.emit(place, { type: 'sandbox-exit', call, end: ran.kind, stage: ran.stage, survivors: 0, durationMs: 0 });
    return;
  }
  if (ran.kind === 'cap')
    recorder.emit(place, { type: 'sandbox-cap', call, ...ran.hit, atMs: Math.round(ran.hit.atMs) });
  recorder.emit(place, {
    type: 'sandbox-exit',
    call,
    end: ran.kind,
    ...(ran.kind === 'exit' ? { code: ran.code } : {}),
    ...(ran.kind === 'signal' ? { signal: ran.signal } : {}),
    survivors: ran.survivors,
    durationMs: Math.round(ran.durationMs),
  });
}
