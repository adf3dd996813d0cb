// The headers of a request or an answer as they are passed on: without those that speak of one connection only, because the
// next one is another. What frames the content is said anew.
import { findHeaders } from './parse-request-target.ts';

/** Names and values in turn. `host` is what the next one is called; null in an answer. */
export function toForwardedHeaders(rawHeaders: readonly string[], host: string | null): string[] {
  const named = findHeaders(rawHeaders, 'connection').flatMap((value) => value.toLowerCase().split(','));
  const dropped = new Set([...ofOneConnection, ...named.map((name) => name.trim())]);
  // Without it the content would stand there as another request.
  dropped.delete('content-length');
  const kept: string[] = host === null ? [] : ['Host', host];
  for (const [index, name] of rawHeaders.entries()) {
    const value = rawHeaders[index + 1];
    if (index % 2 === 1 || value === undefined || dropped.has(name.toLowerCase())) continue;
    if (name.toLowerCase() !== 'host') kept.push(name, value);
  }
  if (host !== null && findHeaders(rawHeaders, 'transfer-encoding').length > 0)
    kept.push('Transfer-Encoding', 'chunked');
  return [...kept, 'Connection', 'close'];
}

const ofOneConnection = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // It was answered when the request came.
  'expect',
];
