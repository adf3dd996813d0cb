// What a strict provider refuses: a call without its result, a result without its call, two of one, or one in the wrong
// place. Every result has to stand right behind the reply that made its call.
import { z } from 'zod';
import type { WireMessage } from './scripted-model-script.ts';

const WireCalls = z.array(z.looseObject({ id: z.string().min(1) }));

/** Everything that is wrong with the pairing of calls and results in one request; empty for a good one. */
export function findPairingFaults(messages: readonly WireMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [place, { role, tool_calls: calls, tool_call_id: callId }] of messages.entries()) {
    if (role === 'tool') {
      if (callId === undefined || !open.includes(callId))
        faults.push(`Message ${place} answers no open call: ${callId}`);
      open = open.filter((id) => id !== callId);
      continue;
    }
    if (open.length > 0) faults.push(`Message ${place} comes before the results of ${open.join(', ')}`);
    open = role === 'assistant' ? WireCalls.parse(calls ?? []).map(({ id }) => id) : [];
    if (new Set(open).size < open.length) faults.push(`Message ${place} has two calls with one id`);
  }
  if (open.length > 0) faults.push(`The request ends before the results of ${open.join(', ')}`);
  return faults;
}
