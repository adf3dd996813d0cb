// What a provider is sent is always whole: each call has exactly one result, right behind its reply and in the order of the
// calls. A call whose result is not there, wherever it stands, is answered as interrupted; a result that nobody asked for is
// left out. A history that is whole already comes back as it is, object by object.
import type { ContextMessage } from '../../../shared/message.ts';

type Reply = Extract<ContextMessage, { role: 'assistant' }>;
type Result = Extract<ContextMessage, { role: 'result' }>;

export function closeOrphans(messages: readonly ContextMessage[]): ContextMessage[] {
  const whole: ContextMessage[] = [];
  for (let place = 0; place < messages.length; ) {
    const message = messages[place];
    place += 1;
    if (message === undefined || message.role === 'result') continue; // Behind no reply.
    whole.push(message);
    if (message.role !== 'assistant') continue;
    const results: Result[] = [];
    for (let next = messages[place]; next?.role === 'result'; next = messages[place]) {
      results.push(next);
      place += 1;
    }
    whole.push(...toResults(message, results));
  }
  return whole;
}

/** Some providers give the calls of one reply one id: the first result that is left is the call's. */
function toResults({ calls }: Reply, results: readonly Result[]): Result[] {
  const left = [...results];
  return calls.map(({ id }) => {
    const found = left.findIndex(({ callId }) => callId === id);
    const [result] = found < 0 ? [] : left.splice(found, 1);
    return result ?? { role: 'result', callId: id, text: interrupted };
  });
}

export const interrupted =
  'Interrupted: what came of this call was lost, and whether it took effect is not known. Look before you rely on it or repeat it.';
