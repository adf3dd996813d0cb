// Journals what a call wanted of the network. A host may be named for what its name tells whoever owns it, so secrets are
// masked in names too. All of it is durable with the end of the call.
import type { EventPlace } from '../../shared/event.ts';
import type { FetchHop } from '../guard/guard.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { EgressAttempt } from '../net/egress-proxy/egress-proxy.ts';
import type { CallPorts } from './driver-ports.ts';

type Recording = Pick<CallPorts, 'recorder' | 'redactor'>;

/** What a command of the call wanted. */
export function recordAttempt(
  { recorder, redactor }: Recording,
  place: EventPlace,
  call: number,
  { sentBytes, receivedBytes, ...attempt }: EgressAttempt,
): void {
  recorder.emit(place, { type: 'sandbox-net', call, ...mask(attempt, redactor), sentBytes, receivedBytes });
}

/** Where the call itself went for a page. */
export function recordHop({ recorder, redactor }: Recording, place: EventPlace, call: number, hop: FetchHop): void {
  recorder.emit(place, { type: 'fetch-hop', call, ...mask(hop, redactor) });
}

function mask({ target, because, ...rest }: FetchHop, redactor: Redactor) {
  const maskText = (text: string): string => redactor.redact(text.toWellFormed()).text;
  return { ...rest, target: maskText(target), ...(because === null ? {} : { because: maskText(because) }) };
}
