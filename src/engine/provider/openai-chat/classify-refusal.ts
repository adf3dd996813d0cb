// Which kind of failure an HTTP status and the server's words amount to. The same status means different things: a 429 may
// pass in seconds or not before somebody pays, and retrying the second kind only burns time.
import type { ProviderFailureClass } from '../../../shared/event.ts';
import type { ServerWords } from './read-words.ts';

/** Classifies a refusal. `asksToWait`: the server named a time to come back, so the limit passes by itself. */
export function classifyRefusal(status: number, words: ServerWords, asksToWait: boolean): ProviderFailureClass {
  const said = `${words.code} ${words.text}`;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) return toLimitClass(words, asksToWait);
  if (status === 413 || (status < 500 && overflowWords.test(said))) return 'context-overflow';
  if (status === 404 || (status === 400 && unknownModelWords.test(said))) return 'unknown-model';
  if (status === 408 || status === 504 || status === 524) return 'timeout';
  return status >= 500 ? 'server' : 'request';
}

/** The status that an error inside a stream stands for: its numeric code, or what its name says. */
export function toStatus(words: ServerWords): number {
  const numeric = /\b[45]\d\d\b/.exec(words.code)?.[0];
  if (numeric !== undefined) return Number(numeric);
  return statusNames.find(([name]) => name.test(words.code))?.[1] ?? 500;
}

const overflowWords = /context[_ ](length|window)|maximum context|too many tokens|(prompt|input) is too long/i;
const unknownModelWords =
  /model[_ ]not[_ ]found|not a valid model|model .{0,200}(does not exist|not found)|unknown model/i;
const permanentWords =
  /insufficient[_ ](quota|credit|balance|funds)|billing|payment|(monthly|weekly|daily) (usage )?limit|current quota|credits?\b/i;

const statusNames: readonly (readonly [RegExp, number])[] = [
  [/quota|billing|credit/, 402],
  [/rate[_ ]?limit/, 429],
  [/auth|permission|api_key/, 401],
  [/context_length/, 413],
  [/not_found/, 404],
  [/invalid_request/, 400],
];

function toLimitClass({ code, text }: ServerWords, asksToWait: boolean): ProviderFailureClass {
  if (code.includes('insufficient_quota')) return 'quota';
  // One request over the limit of a whole minute never fits, however long it waits.
  if (/request too large/i.test(text)) return 'context-overflow';
  // "Try again in 20 s" beside the word quota is a rate limit whatever it is called.
  const isPassing = asksToWait || /(again|resets?|retry) (in|after)/i.test(text);
  return !isPassing && permanentWords.test(text) ? 'quota' : 'rate-limited';
}
