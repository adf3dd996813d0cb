// Sends the request for a page and takes in its answer, up to where that leads on or becomes too long.
import { type CollectedBytes, collectBytes } from './collect-bytes.ts';
import { openExchange, type ResponseHeaders } from './open-exchange.ts';
import type { PageAgent } from './page-agent.ts';

export interface ReceivedPage {
  /** Null when the answer came to its end, or was read as far as it should be. */
  readonly error: Error | null;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** As it came, compressed or not. */
  readonly content: CollectedBytes;
}

export async function receivePage(
  agent: PageAgent,
  { url, maxBytes }: { readonly url: URL; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<ReceivedPage> {
  const content = collectBytes(maxBytes);
  let start: { readonly status: number; readonly headers: ResponseHeaders } = { status: 0, headers: {} };
  const exchange = openExchange(
    agent,
    { url, headers: requestHeaders, body: null },
    {
      onStart(status, headers) {
        start = { status, headers };
        if (findLocation(start) !== null) exchange.abort(enough);
      },
      onData(bytes) {
        content.push(bytes);
        if (content.droppedBytes > 0) exchange.abort(enough);
      },
    },
  );
  const cut = () => exchange.abort(toError(signal.reason));
  signal.addEventListener('abort', cut);
  if (signal.aborted) cut();
  const { error } = await exchange.ended;
  signal.removeEventListener('abort', cut);
  return { ...start, error: error === enough ? null : error, content };
}

/** Where the answer leads; null where it does not. */
export function findLocation({ status, headers }: Pick<ReceivedPage, 'status' | 'headers'>): string | null {
  const location = readHeader(headers, 'location');
  return [301, 302, 303, 307, 308].includes(status) && location !== '' ? location : null;
}

/** Empty where there is none. */
export function readHeader(headers: ResponseHeaders, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}

/** Nothing that could tell who asks: no cookie, no credentials, no referrer. */
const requestHeaders = {
  'user-agent': 'io-studio-engine',
  accept: 'text/markdown, text/plain, text/html;q=0.9, */*;q=0.5',
  'accept-encoding': 'gzip, br',
};

const enough = new Error('Enough of the answer was read.');

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new DOMException('', 'AbortError'));
