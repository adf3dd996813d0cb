// One GET, on a connection of its own that ends with it. Every address is judged before it is connected to; redirects are
// told, not followed. Time, headers, content as it comes and content as it unfolds are bounded each.
import { type DecodeLimits, decodeContent } from './decode-content.ts';
import { describeFailure } from './describe-failure.ts';
import { createJudgedLookup, type JudgeAddresses, type ResolveName, systemResolver } from './judged-lookup.ts';
import { createPageAgent } from './page-agent.ts';
import { findLocation, type ReceivedPage, readHeader, receivePage } from './receive-page.ts';

export interface PageRequest {
  readonly url: URL;
  /** Asked before the connection is made, with every address the name has. */
  readonly judge: JudgeAddresses;
}

export type PageEnd =
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly address: ConnectedAddress }
  /** The answer leads on; its content is not read. */
  | { readonly kind: 'moved'; readonly location: string; readonly address: ConnectedAddress }
  | {
      readonly kind: 'page';
      readonly status: number;
      /** As the server wrote it, with its parameters; empty where it said nothing. */
      readonly contentType: string;
      readonly bytes: Uint8Array;
      /** Bytes that came after those. At least so many: reading ends at a limit. */
      readonly droppedBytes: number;
      readonly address: ConnectedAddress;
    };

/**
 * `ip:port`, judged and connected to; null where no connection came about, and where a proxy looked the name up, so that only
 * the name was judged.
 */
type ConnectedAddress = string | null;

export type FetchPage = (request: PageRequest, signal: AbortSignal) => Promise<PageEnd>;

export interface PageLimits extends DecodeLimits {
  /** From the look-up to the last byte. */
  readonly wallMs: number;
  readonly maxHeaderBytes: number;
  /** Of the content as it comes, compressed or not. */
  readonly maxReceivedBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultPageLimits: PageLimits = {
  wallMs: 20_000,
  maxHeaderBytes: 32 * 1024,
  maxReceivedBytes: 4 * mebibyte,
  maxBytes: mebibyte,
  maxDecodedBytes: 16 * mebibyte,
};

export interface PageFetcherOptions {
  /** Where the proxy settings are looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How names become addresses; as the system says by default. */
  readonly resolve?: ResolveName;
  readonly limits?: Partial<PageLimits>;
}

/** Nothing is loaded or opened before the first page. */
export function createPageFetcher({ environment, resolve = systemResolver, limits }: PageFetcherOptions): FetchPage {
  const bounds = { ...defaultPageLimits, ...limits };
  const { wallMs, maxHeaderBytes, maxReceivedBytes } = bounds;
  return async ({ url, judge }, signal) => {
    const { lookup, findRefusal } = createJudgedLookup(url.hostname, resolve, judge);
    const refusal = findRefusal();
    if (refusal !== null) return { kind: 'refused', because: refusal };
    await using agent = createPageAgent({ url, environment, lookup, connectTimeoutMs: wallMs, maxHeaderBytes });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(wallMs)]);
    const received = await receivePage(agent, { url, maxBytes: maxReceivedBytes }, limit);
    const because = findRefusal();
    if (because !== null) return { kind: 'refused', because };
    return toEnd(received, agent.address, bounds);
  };
}

async function toEnd(received: ReceivedPage, address: ConnectedAddress, limits: DecodeLimits): Promise<PageEnd> {
  const { error, status, headers, content } = received;
  if (error !== null) return { kind: 'failed', reason: describeFailure(error), address };
  const location = findLocation(received);
  if (location !== null) return { kind: 'moved', location, address };
  const decoded = await decodeContent(content.read(), readHeader(headers, 'content-encoding'), limits);
  if (decoded.kind === 'failed') return { ...decoded, address };
  const droppedBytes = decoded.droppedBytes + content.droppedBytes;
  const contentType = readHeader(headers, 'content-type');
  return { kind: 'page', status, contentType, bytes: decoded.bytes, droppedBytes, address };
}
