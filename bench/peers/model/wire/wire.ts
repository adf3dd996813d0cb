// A wire format as the scripted model speaks it: what a request says, and how an answer is put.
import type { ServerResponse } from 'node:http';
import type { ToolUse } from '../profiles.ts';

export interface ReadRequest {
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** Texts of all results of calls, in their order. */
  readonly results: readonly string[];
  /** Everything that the user has said. */
  readonly userText: string;
  readonly model: string;
  readonly streams: boolean;
  /** Whether a streamed answer is to end with what it used. */
  readonly wantsUsage: boolean;
}

export type Answer =
  | { readonly kind: 'call'; readonly use: ToolUse }
  | { readonly kind: 'text'; readonly text: string };

export interface Wire {
  /** Of the request's path, without query. */
  readonly path: RegExp;
  /** Throws for a body that is not of this wire. */
  read(body: unknown, path: string): ReadRequest;
  answer(response: ServerResponse, request: ReadRequest, answer: Answer): void;
}

/** Every answer says the same, so that no client makes its context smaller. */
export const usage = { input: 4000, output: 20 };

let count = 0;

export const toId = (prefix: string): string => `${prefix}${(++count).toString(36).padStart(8, '0')}`;

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Server-sent events in one piece: the model answers at once. */
export function sendEvents(response: ServerResponse, events: readonly { name?: string; data: unknown }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.end(events.map(({ name, data }) => `${toNameLine(name)}data: ${toDataText(data)}\n\n`).join(''));
}

const toNameLine = (name: string | undefined): string => (name === undefined ? '' : `event: ${name}\n`);

const toDataText = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
