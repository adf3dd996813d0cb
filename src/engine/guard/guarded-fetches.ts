// The handle through which pages are fetched: the host of each hop is judged before it is dialled, the address it came to
// before it is connected to. A yes was given to one host, and takes nobody to another.
import type { Verdict } from '../../shared/act.ts';
import type { FetchPage, PageEnd } from '../net/fetch-page.ts';
import { parseWebUrl, toHostAndPort } from '../net/web-url.ts';
import type { FetchEnd, FetchHop, GuardedFetches } from './guard.ts';
import { judgeAddresses } from './judge-addresses.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import { resolveNetTarget } from './resolve-net-target.ts';

export interface GuardedFetchesOptions {
  readonly permission: Permission;
  /** Null where nothing is fetched. */
  readonly fetchPage: FetchPage | null;
  readonly onHop: (hop: FetchHop) => void;
}

const maxRedirects = 5;

export function createGuardedFetches({ permission, fetchPage, onHop }: GuardedFetchesOptions): GuardedFetches {
  return {
    async get(text, signal) {
      const url = parseWebUrl(text);
      if (fetchPage === null) return { kind: 'failed', reason: 'nothing is fetched here', hops: [] };
      if (url === null) return { kind: 'refused', because: noWebUrl, hops: [] };
      return follow({ permission, fetchPage, onHop, asked: toTarget(url) }, url, signal);
    },
  };
}

interface Journey extends GuardedFetchesOptions {
  readonly fetchPage: FetchPage;
  /** The target that a person may have been asked about. */
  readonly asked: string;
}

async function follow(journey: Journey, start: URL, signal: AbortSignal): Promise<FetchEnd> {
  const hops: string[] = [];
  for (let url = start; hops.length <= maxRedirects; ) {
    const hop = judgeHop(journey, url, hops.at(-1) ?? null);
    const end = await takeHop(journey, url, hop, signal);
    journey.onHop(toHop(hop.target, end));
    if (end.kind === 'page') return { ...end, kind: 'fetched', url: url.href, hops };
    if (end.kind === 'refused') return { ...end, hops };
    if (end.kind === 'failed') return { kind: 'failed', reason: end.reason, hops };
    hops.push(url.href);
    const next = parseWebUrl(end.location, url);
    if (next === null) return { kind: 'refused', because: `it leads on to something else: ${noWebUrl}`, hops };
    url = next;
  }
  return { kind: 'failed', reason: `it leads on more than ${maxRedirects} times`, hops };
}

const noWebUrl = 'it is no URL of http or https, or holds a name and password';

interface Hop {
  readonly target: string;
  /** Why it is not dialled, or null when it may be. */
  readonly refusal: string | null;
  readonly judgeAddresses: (addresses: readonly string[]) => string | null;
}

/** `from`: where it was sent on from; null for what the call itself names. */
function judgeHop({ permission, asked }: Journey, url: URL, from: string | null): Hop {
  const { act, refusal } = resolveNetTarget(toHostAndPort(url));
  const { verdict } = judgeResolved({ act, refusal }, permission.stance);
  const permitted = act.target === asked ? permission.permitted : 'allow';
  const refused = findRefusal(verdict, permitted);
  return {
    target: act.target,
    refusal: from === null ? refused : findRedirectRefusal(verdict, refused, { from, url }),
    judgeAddresses: (addresses) => judgeAddresses(act, addresses, { ...permission, permitted }),
  };
}

/** Whoever can read and change what is not encrypted is let in by a rule alone. */
function findRedirectRefusal(
  verdict: Verdict,
  refused: string | null,
  { from, url }: { readonly from: string; readonly url: URL },
): string | null {
  const sent = `it leads on to ${url.href}, and`;
  if (refused !== null) return `${sent} ${verdict.effect === 'ask' ? `${verdict.because}: ${callAgain}` : refused}`;
  const isDowngrade = from.startsWith('https:') && url.protocol === 'http:';
  const isByRule = verdict.effect === 'allow' && verdict.rule !== null;
  return isDowngrade && !isByRule ? `${sent} no rule allows that host without encryption: ${callAgain}` : null;
}

async function takeHop(
  { fetchPage }: Journey,
  url: URL,
  { refusal, judgeAddresses }: Hop,
  signal: AbortSignal,
): Promise<PageEnd> {
  if (refusal !== null) return { kind: 'refused', because: refusal };
  return fetchPage({ url, judge: judgeAddresses }, signal);
}

function toHop(target: string, end: PageEnd): FetchHop {
  switch (end.kind) {
    case 'refused':
      return { target, address: null, allowed: false, because: end.because };
    case 'failed':
      return { target, address: end.address, allowed: true, because: end.reason };
    case 'moved':
    case 'page':
      return { target, address: end.address, allowed: true, because: null };
  }
}

const callAgain = 'call again with that URL, and it is judged by itself';

function toTarget(url: URL): string {
  return resolveNetTarget(toHostAndPort(url)).act.target;
}
