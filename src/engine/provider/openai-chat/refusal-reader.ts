// Reads what a server says when it refuses a request, and turns it into a failure. A refused request is not billed.
import type { ResponseHeaders } from '../../net/open-exchange.ts';
import type { BodyReader } from './body-reader.ts';
import { classifyRefusal } from './classify-refusal.ts';
import { collectBody } from './collect-body.ts';
import { describeFailure, type Endpoint } from './describe-failure.ts';
import { parseRetryAfterMs } from './parse-retry-after.ts';
import { readWords } from './read-words.ts';

const maxRefusalBytes = 64 * 1024;

/** Creates a reader for the body of an answer whose status says that the request was not carried out. */
export function createRefusalReader(endpoint: Endpoint, status: number, headers: ResponseHeaders): BodyReader {
  const body = collectBody(maxRefusalBytes);
  const retryAfterMs = parseRetryAfterMs(headers, Date.now());
  return {
    read: (bytes) => (body.add(bytes) ? 'quiet' : 'stop'),
    finish() {
      const words = readWords(body.toText());
      const failure = describeFailure(endpoint, {
        class: classifyRefusal(status, words, retryAfterMs !== undefined),
        what: toWhat(status, headers),
        words: words.text,
        status,
        retryAfterMs,
        charge: 'none',
      });
      return { kind: 'failure', failure };
    },
  };
}

/** A redirect is not followed: the key must not travel to an address that the user did not name. */
function toWhat(status: number, headers: ResponseHeaders): string {
  if (status >= 400) return `refused the request with status ${status}`;
  return `answered with a redirect (${status}) to ${headers.location ?? 'nowhere'}, which is not followed`;
}
