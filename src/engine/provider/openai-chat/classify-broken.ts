// An exchange that broke below HTTP: no connection, no trust, no answer. Told apart by the codes of the system and the HTTP
// client, because their messages change.
import type { FailureFacts } from './describe-failure.ts';

/** The facts of a failure for `error`; `sent` says whether the request may have reached the server. */
export function classifyBroken(error: Error, sent: boolean): FailureFacts {
  const charge = sent ? 'unknown' : 'none';
  const code = toCode(error);
  const words = `${code} ${error.message}`.trim();
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return { class: 'timeout', what: 'could not be reached in time', words, charge };
  }
  if (/^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) {
    return { class: 'connection', what: 'could not prove who it is', words, charge, permanent: true };
  }
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { class: 'malformed', what: 'answered with something that is not HTTP', words, charge };
  }
  const what = sent ? 'closed the connection before it answered' : 'could not be reached';
  return { class: 'connection', what, words, charge };
}

/** Connecting to several addresses fails as one error with the parts inside. */
function toCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return toCode(error.errors[0]);
  return error.cause instanceof Error ? toCode(error.cause) : '';
}
