// Journals what a command of a call wanted of the network. A host may be named for what its name tells whoever owns it, so
// secrets are masked in names too.
import type { EventPlace } from '../../shared/event.ts';
import type { EgressAttempt } from '../net/egress-proxy/egress-proxy.ts';
import type { DriverPorts } from './driver-ports.ts';

/** It is durable with the end of the call. */
export function recordAttempt(
  { recorder, redactor }: Pick<DriverPorts, 'recorder' | 'redactor'>,
  place: EventPlace,
  call: number,
  { target, address, allowed, because, sentBytes, receivedBytes }: EgressAttempt,
): void {
  const mask = (text: string): string => redactor.redact(text.toWellFormed()).text;
  recorder.emit(place, {
    type: 'sandbox-net',
    call,
    target: mask(target),
    address,
    allowed,
    ...(because === null ? {} : { because: mask(because) }),
    sentBytes,
    receivedBytes,
  });
}
