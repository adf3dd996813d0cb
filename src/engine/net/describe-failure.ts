// Why a connection or an answer came to nothing, as the end of a sentence.

/** What is known by its code; anything else in the error's own words. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const known = reasons.find(([codes]) => codes.test(code));
  return known === undefined ? `it failed (${error.message || code})` : `${known[1]} (${code})`;
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'its name cannot be resolved'],
  [/^ECONNREFUSED$/, 'nothing answers there'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut off'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection came about in time'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'there is no way to it'],
  [/^TimeoutError$/, 'it took too long'],
  [/^AbortError$/, 'it was cancelled'],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, 'its headers are too long'],
  [/^(HPE_|HTTPParserError)/, 'what came is no HTTP'],
  [/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)_/, 'its certificate is signed by nobody known here'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its certificate is out of date'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^CERT_/, 'its certificate is not valid'],
  [/^(EPROTO|ERR_SSL_)/, 'it does not speak TLS as it should'],
];
