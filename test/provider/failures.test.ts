import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ProviderFailure } from '../../src/engine/provider/model-provider.ts';
import type { ScriptedFault } from '../support/scripted-model-script.ts';
import { openProvider, type PlayedScript, playScript, testKey } from './open-provider.ts';

const page = '<html><head><title>502 Bad Gateway</title></head></html>';
const long = 'x'.repeat(2000);

type Expected = Omit<ProviderFailure, 'message'> & { readonly says: RegExp };

async function failureOf({ ask }: Pick<PlayedScript, 'ask'>): Promise<ProviderFailure> {
  const result = await ask();
  if (result.kind === 'reply') throw new Error(`Expected a failure, got ${JSON.stringify(result.reply.message)}`);
  return result.failure;
}

const refused = (status: number, more: Partial<Extract<ScriptedFault, { kind: 'status' }>> = {}): ScriptedFault => ({
  kind: 'status',
  status,
  ...more,
});

const table: readonly (readonly [string, ScriptedFault, Expected])[] = [
  [
    'a burst limit, with the time the server asks for (NousResearch/hermes-agent#36276)',
    refused(429, { retryAfter: '7' }),
    {
      class: 'rate-limited',
      status: 429,
      retryable: true,
      retryAfterMs: 7000,
      charge: 'none',
      says: /status 429.*Wait/,
    },
  ],
  [
    'a burst limit without a time',
    refused(429),
    { class: 'rate-limited', status: 429, retryable: true, charge: 'none', says: /"Scripted status 429"/ },
  ],
  [
    'a spent quota, which no waiting cures (NousResearch/hermes-agent#36276)',
    refused(429, { body: '{"error":{"code":"insufficient_quota","message":"Pay"}}' }),
    { class: 'quota', status: 429, retryable: false, charge: 'none', says: /"Pay".*Add credit/ },
  ],
  [
    'a demand for payment',
    refused(402),
    { class: 'quota', status: 402, retryable: false, charge: 'none', says: /credit/ },
  ],
  [
    'an unknown model',
    refused(404, { body: '{"error":{"message":"No such model"}}' }),
    { class: 'unknown-model', status: 404, retryable: false, charge: 'none', says: /Check the model name scripted/ },
  ],
  [
    'a server error',
    refused(500),
    { class: 'server', status: 500, retryable: true, charge: 'none', says: /status 500/ },
  ],
  ['an overload', refused(529), { class: 'server', status: 529, retryable: true, charge: 'none', says: /status 529/ }],
  [
    'a window that is too small',
    refused(400, { body: '{"error":{"code":"context_length_exceeded","message":"Too long"}}' }),
    { class: 'context-overflow', status: 400, retryable: false, charge: 'none', says: /--context-tokens/ },
  ],
  [
    'a page in place of an error, by its title',
    refused(502, { body: page }),
    { class: 'server', status: 502, retryable: true, charge: 'none', says: /"502 Bad Gateway"/ },
  ],
  [
    'an error of any length, shortened',
    refused(400, { body: long }),
    { class: 'request', status: 400, retryable: false, charge: 'none', says: /"x{500}…"/ },
  ],
  [
    'a web page in place of a reply',
    { kind: 'html-page' },
    { class: 'malformed', retryable: false, charge: 'unknown', says: /not an event stream: "Welcome".*base URL/ },
  ],
  [
    'a body of another kind',
    { kind: 'other-body', contentType: 'text/plain', body: 'hello there' },
    { class: 'malformed', retryable: false, charge: 'unknown', says: /not an event stream: "hello there"/ },
  ],
  [
    'an error document with status 200',
    { kind: 'other-body', contentType: 'application/json', body: '{"error":{"code":503,"message":"Busy"}}' },
    { class: 'server', retryable: true, charge: 'unknown', says: /reported an error: "Busy"/ },
  ],
  [
    'JSON that is no completion',
    { kind: 'other-body', contentType: 'application/json', body: '{"hello":1}' },
    { class: 'malformed', retryable: false, charge: 'unknown', says: /not a chat completion/ },
  ],
  [
    'a destroyed socket (anomalyco/opencode#37580)',
    { kind: 'cut' },
    {
      class: 'cut-off',
      retryable: true,
      charge: 'unknown',
      says: /ended the stream in the middle.*Nothing of this reply/,
    },
  ],
  [
    'an end in good order before the reply is whole',
    { kind: 'early-end' },
    { class: 'cut-off', retryable: true, charge: 'unknown', says: /ended the stream in the middle/ },
  ],
  [
    'an error event',
    { kind: 'error-event', error: { code: 502, message: 'Upstream' } },
    { class: 'server', retryable: true, charge: 'unknown', says: /in the middle of the reply: "Upstream"/ },
  ],
  [
    'bytes that are not UTF-8',
    { kind: 'invalid-utf8' },
    { class: 'malformed', retryable: true, charge: 'unknown', says: /not UTF-8/ },
  ],
  [
    'an event that is not JSON',
    { kind: 'malformed-event' },
    { class: 'malformed', retryable: true, charge: 'unknown', says: /not a chat-completions chunk/ },
  ],
  [
    'a line of 10 MB',
    { kind: 'long-line', bytes: 10_000_000 },
    { class: 'malformed', retryable: true, charge: 'unknown', says: /event of over 4194304 characters/ },
  ],
];

const silent: readonly (readonly [string, ScriptedFault, RegExp])[] = [
  ['headers and then nothing', { kind: 'stall-after-headers' }, /fell silent in the middle of its reply for 0\.1 s/],
  ['one delta and then nothing (anomalyco/opencode#37580)', { kind: 'stall-after-first-delta' }, /fell silent/],
  ['pings that are no content (earendil-works/pi#8593)', { kind: 'pings-only', everyMs: 10 }, /fell silent/],
];

describe('a failure of the chat-completions provider', () => {
  it.each(table)('names %s', async (_, fault, { says, ...expected }) => {
    await using played = await playScript([{ text: 'Hello', fault }]);
    const { message, ...failure } = await failureOf(played);
    expect(failure).toEqual(expected);
    expect(message).toMatch(says);
    expect(message.startsWith(new URL(played.server.url).host)).toBe(true);
    expect(message.length).toBeLessThan(1000);
  });

  it.each(silent)('names silence after %s, and closes the connection', async (_, fault, says) => {
    await using played = await playScript([{ text: 'Hello', fault }], { idleTimeoutMs: 100 });
    const { message, ...failure } = await failureOf(played);
    expect(failure).toEqual({ class: 'timeout', retryable: true, charge: 'unknown' });
    expect(message).toMatch(says);
    await played.server.until(([request]) => request?.aborted === true);
  });

  it('does not take a slow stream for a silent one', async () => {
    await using played = await playScript([{ text: 'x'.repeat(64), eventDelayMs: 60 }], { idleTimeoutMs: 300 });
    expect((await played.ask()).kind).toBe('reply');
  });

  it('names a refused connection, which costs nothing', async () => {
    await using opened = openProvider('http://127.0.0.1:1/v1');
    const { message, ...failure } = await failureOf(opened);
    expect(failure).toEqual({ class: 'connection', retryable: true, charge: 'none' });
    expect(message).toMatch(/^127\.0\.0\.1:1 could not be reached: "ECONNREFUSED.*base URL/);
  });

  it('names a name that does not resolve, which costs nothing', async () => {
    await using opened = openProvider('http://nowhere.invalid/v1');
    const { message, ...failure } = await failureOf(opened);
    expect(failure).toEqual({ class: 'connection', retryable: true, charge: 'none' });
    expect(message).toMatch(/^nowhere\.invalid could not be reached/);
  });

  it('names a server that does not speak HTTP', async () => {
    await using server = await listen((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    await using opened = openProvider(server.url);
    const { message, ...failure } = await failureOf(opened);
    expect(failure).toEqual({ class: 'malformed', retryable: true, charge: 'unknown' });
    expect(message).toMatch(/not HTTP/);
  });

  it('keeps the charge open when the connection closes without an answer', async () => {
    await using server = await listen((socket) => socket.once('data', () => socket.destroy()));
    await using opened = openProvider(server.url);
    const { message, ...failure } = await failureOf(opened);
    expect(failure).toEqual({ class: 'connection', retryable: true, charge: 'unknown' });
    expect(message).toMatch(/closed the connection before it answered/);
  });

  it('follows no redirect, so that the key stays with the host it was given for', async () => {
    const answer = 'HTTP/1.1 307 Moved\r\nlocation: http://evil.example/v1\r\ncontent-length: 0\r\n\r\n';
    await using server = await listen((socket) => socket.once('data', () => socket.end(answer)));
    await using opened = openProvider(server.url);
    const { message, ...failure } = await failureOf(opened);
    expect(failure).toEqual({ class: 'request', status: 307, retryable: false, charge: 'none' });
    expect(message).toMatch(/redirect \(307\) to http:\/\/evil\.example\/v1, which is not followed/);
  });

  it('holds no key when the server echoes it (NousResearch/hermes-agent#72925)', async () => {
    await using played = await playScript([{ fault: { kind: 'echo-key' } }]);
    const failure = await failureOf(played);
    expect(played.server.requests[0]?.authorization).toBe(`Bearer ${testKey}`);
    expect(failure.message).toMatch(/"Bad credentials: Bearer \[key\]"/);
    expect(JSON.stringify(failure)).not.toContain(testKey);
  });
});

interface RawServer extends AsyncDisposable {
  readonly url: string;
}

async function listen(onConnection: Parameters<typeof createServer>[1]): Promise<RawServer> {
  const server = createServer({}, onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
