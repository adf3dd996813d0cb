// fetch_url: one page of the web, as text. What came back was written by strangers, and is marked so also where it only
// says why there is no page.
import { z } from 'zod';
import type { FetchEnd } from '../guard/guard.ts';
import { parseWebUrl, toHostAndPort } from '../net/web-url.ts';
import { clipText } from '../process/capture-output.ts';
import { decodePage } from './decode-page.ts';
import { toPlainOutput } from './to-plain-output.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { count } from './tool-result.ts';

const FetchUrlArguments = z.strictObject({
  url: z
    .string()
    .trim()
    .max(4096)
    .refine((text) => parseWebUrl(text) !== null, 'it must be a URL of http or https without a name and password')
    .describe('Address of the page, with http:// or https:// in front.'),
});
type FetchUrlArguments = z.infer<typeof FetchUrlArguments>;

/** What the journal keeps of a page; the model is shown less. */
const maxTextBytes = 256 * 1024;

export const fetchUrl: Tool<FetchUrlArguments> = {
  name: 'fetch_url',
  description:
    'Gets a page by http or https and shows its status, type and text; HTML as it is written. A redirect is followed where ' +
    'its host may be dialled too; else the result says so, and a call with that URL is judged by itself.',
  arguments: FetchUrlArguments,
  kind: 'write',
  target: ({ url }) => url,
  acts: ({ url }) => [{ kind: 'net', target: toTarget(url) }],
  prepare: async ({ url }, context) => ({ kind: 'request', text: `GET ${url}`, run: () => run(url, context) }),
};

function toTarget(text: string): string {
  const url = parseWebUrl(text);
  return url === null ? text : toHostAndPort(url);
}

async function run(url: string, { fetches, signal }: ToolContext): Promise<ToolResult> {
  const end = await fetches.get(url, signal);
  const origin = end.kind === 'fetched' || end.hops.length > 0 ? 'web' : 'engine';
  const isFine = end.kind === 'fetched' && end.status < 400;
  return { status: isFine ? 'ok' : 'failed', text: await describe(url, end), origin, seen: [] };
}

async function describe(url: string, end: FetchEnd): Promise<string> {
  switch (end.kind) {
    case 'refused':
      return `Nothing was fetched of ${url}: ${end.because}.`;
    case 'failed':
      return `${end.hops.length === 0 ? url : end.hops.join(' -> ')} could not be fetched: ${end.reason}.`;
    case 'fetched':
      return describePage(end);
  }
}

async function describePage(page: Extract<FetchEnd, { kind: 'fetched' }>): Promise<string> {
  const { url, status, contentType, bytes, droppedBytes, hops, address } = page;
  const decoded = await decodePage(bytes, contentType, droppedBytes > 0);
  const size = `${count(bytes.length, 'byte')}${droppedBytes > 0 ? `, at least ${droppedBytes} more left out` : ''}`;
  const head = [
    `Status ${status} from ${url}`,
    ...hops.map((hop) => `Sent on from ${hop}`),
    toPlainOutput(`${contentType === '' ? 'of no named type' : contentType}, ${size}`).replaceAll('\n', ' '),
    ...(address === null ? ['A proxy made the connection: the name was judged, its address was not.'] : []),
  ];
  if (decoded.kind === 'binary') return [...head, `No text: ${decoded.looksLike ?? 'binary content'}.`].join('\n');
  return `${head.join('\n')}\n\n${clipText(toPlainOutput(decoded.text), maxTextBytes)}`;
}
