import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '../model-provider.ts';
import type { ReadProgress, ReadResult } from './body-reader.ts';
import { createEventStreamReader } from './event-stream-reader.ts';

const endpoint = {
  choice: { name: 'openai', wire: 'openai-chat', baseUrl: 'https://api.example.com/v1', model: 'm' },
  url: new URL('https://api.example.com/v1/chat/completions'),
  key: null,
} as const;

interface Reading {
  readonly progress: readonly ReadProgress[];
  readonly deltas: readonly ModelDelta[];
  readonly result: ReadResult;
}

function readAll(pieces: readonly (string | Uint8Array)[], broken: Error | null = null): Reading {
  const deltas: ModelDelta[] = [];
  const reader = createEventStreamReader({ endpoint, idPrefix: 'made-', onDelta: (delta) => deltas.push(delta) });
  const progress = pieces.map((piece) => reader.read(typeof piece === 'string' ? Buffer.from(piece) : piece));
  return { progress, deltas, result: reader.finish(broken) };
}

const event = (chunk: unknown, lineEnd = '\n') => `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
const delta = (part: object, finish_reason: string | null = null) =>
  event({ choices: [{ delta: part, finish_reason }] });
const done = 'data: [DONE]\n\n';

const failureOf = ({ result }: Reading) =>
  result.kind === 'failure' ? `${result.failure.class}, retryable ${result.failure.retryable}` : result;

describe('createEventStreamReader', () => {
  it('reads text, reasoning, calls and usage into one reply and tells of each as it comes', () => {
    const reading = readAll([
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning: 'Hm. ' }) + delta({ reasoning_content: 'Yes.' }),
      delta({ content: 'Let me' }) + delta({ content: ' look.', tool_calls: null }),
      delta({ content: null, tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      delta({}, 'tool_calls'),
      event({
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } },
      }),
      done,
    ]);
    expect(reading).toEqual({
      progress: ['quiet', 'content', 'content', 'content', 'content', 'content', 'content', 'whole'],
      deltas: [
        { kind: 'reasoning', text: 'Hm. ' },
        { kind: 'reasoning', text: 'Yes.' },
        { kind: 'text', text: 'Let me' },
        { kind: 'text', text: ' look.' },
        { kind: 'call', call: 0, tool: 'read', characters: 0 },
        { kind: 'call', call: 0, tool: 'read', characters: 2 },
      ],
      result: {
        kind: 'reply',
        reply: {
          message: { text: 'Let me look.', calls: [{ id: 'a', tool: 'read', arguments: '{}' }] },
          finish: 'calls',
          usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 8 },
        },
      },
    });
  });

  it('gives the same reply however the bytes are cut and whichever line ends are used', () => {
    const text = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 4 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(
        text,
        text,
        lineEnd,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (texts, args, eol, sizes) => {
          const chunks = [
            ...texts.map((content) => ({ choices: [{ delta: { content } }] })),
            { choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'read' } }] } }] },
            ...args.map((piece) => ({
              choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }],
            })),
            { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
          ];
          const stream = `\ufeff: hello${eol}${eol}${chunks.map((chunk) => event(chunk, eol)).join('')}data: [DONE]${eol}${eol}`;
          const { result } = readAll(cut(Buffer.from(stream), sizes));
          const joined = args.join('').trim() === '' ? '{}' : args.join('');
          expect(result).toEqual({
            kind: 'reply',
            reply: {
              message: { text: texts.join(''), calls: [{ id: 'a', tool: 'read', arguments: joined }] },
              finish: 'calls',
              usage: null,
            },
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reads text and thinking from a list of parts', () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];
    const parts = [
      delta({ content: thinking }),
      delta({ content: [...thinking, { type: 'text', text: 'Hi' }] }, 'stop'),
    ];
    const { deltas, progress, result } = readAll(parts);
    expect(progress).toEqual(['content', 'content']);
    expect(deltas.map((one) => one.kind)).toEqual(['reasoning', 'reasoning', 'text']);
    expect(result).toMatchObject({ kind: 'reply', reply: { message: { text: 'Hi', calls: [] } } });
  });

  it.each([
    [{ path: 'a' }, '{"path":"a"}'],
    [['a'], '["a"]'],
    [null, '{}'],
    [7, '7'],
  ])('keeps arguments that come as %j and never takes one for another', (value, expected) => {
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: value } };
    const { result } = readAll([delta({ tool_calls: [call] }, 'tool_calls')]);
    expect(result.kind === 'reply' && result.reply.message.calls).toEqual([
      { id: 'a', tool: 'read', arguments: expected },
    ]);
  });

  it('counts no comment, no ping and no empty delta as content (earendil-works/pi#8593)', () => {
    const pings = [
      ': ping\n\n',
      'event: ping\ndata: {}\n\n',
      delta({ content: '' }),
      event({ choices: [] }),
      'data: {"a',
    ];
    expect(readAll(pings).progress).toEqual(['quiet', 'quiet', 'quiet', 'quiet', 'quiet']);
  });

  it.each([
    ['a finish reason without [DONE]', [delta({ content: 'x' }, 'stop')], 'stop'],
    ['[DONE] without a finish reason', [delta({ content: 'x' }), done], 'stop'],
    ['stop beside a call', [delta({ tool_calls: [{ id: 'a', function: { name: 'b' } }] }, 'stop')], 'calls'],
    ['tool_calls without a call', [delta({ content: 'x' }, 'tool_calls')], 'stop'],
    ['the output limit in a call', [delta({ tool_calls: [{ id: 'a', function: { name: 'b' } }] }, 'length')], 'length'],
    ['the output limit under another name', [delta({ content: 'x' }, 'MAX_TOKENS')], 'length'],
    ['a content filter', [delta({ content: 'x' }, 'content_filter')], 'filter'],
    ['a reason nobody knows', [delta({ content: 'x' }, 'eos')], 'stop'],
  ])('takes %s for a whole reply', (_, pieces, finish) => {
    const { result } = readAll(pieces);
    expect(result.kind === 'reply' ? result.reply.finish : result).toBe(finish);
  });

  it.each([
    [
      'the last usage of several',
      [
        { prompt_tokens: 1, completion_tokens: 1 },
        { prompt_tokens: 5, completion_tokens: 2 },
      ],
      [5, 2, 0],
    ],
    [
      'cached tokens under another name',
      [{ prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 4 }],
      [5, 2, 4],
    ],
    ['thinking that only the total counts', [{ prompt_tokens: 5, completion_tokens: 2, total_tokens: 10 }], [5, 5, 0]],
    [
      'more cached than sent as all of it',
      [{ prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 9 }],
      [5, 2, 5],
    ],
    ['zeros as no report', [{ prompt_tokens: 0, completion_tokens: 0 }], null],
    ['nonsense as no report', [{ prompt_tokens: -1, completion_tokens: 'many' }, 'x', null], null],
  ])('reads %s', (_, reports, expected) => {
    const pieces = reports.map((usage) => event({ choices: [], usage }));
    const { result } = readAll([...pieces, delta({ content: 'x' }, 'stop')]);
    const usage = result.kind === 'reply' ? result.reply.usage : undefined;
    expect(usage && [usage.inputTokens, usage.outputTokens, usage.cachedInputTokens]).toEqual(expected);
  });

  it.each([
    ['an end before the reply is whole', [delta({ content: 'x' })], 'cut-off, retryable true'],
    [
      'an unfinished last event',
      [delta({ content: 'x' }), 'data: {"choices":[{"finish_reason":"stop"}]}\n'],
      'cut-off, retryable true',
    ],
    ['an event that is not JSON', ['data: {"choices":[\n\n'], 'malformed, retryable true'],
    ['an event of another shape', ['data: {"choices":7}\n\n'], 'malformed, retryable true'],
    ['a body without events', ['<html>Hello</html>'], 'malformed, retryable false'],
    ['a call without a name', [delta({ tool_calls: [{ id: 'a' }] }, 'tool_calls')], 'malformed, retryable true'],
    ['a rate limit inside the stream', [event({ error: { code: 429, message: 'x' } })], 'rate-limited, retryable true'],
    ['an error that is a string', [event({ error: 'overloaded' })], 'server, retryable true'],
    ['an error as finish reason', [delta({}, 'error')], 'server, retryable true'],
    ['a spent quota inside the stream', [event({ error: { code: 'insufficient_quota' } })], 'quota, retryable false'],
  ])('names %s', (_, pieces, expected) => {
    expect(failureOf(readAll(pieces))).toBe(expected);
  });

  it('refuses bytes that are not UTF-8 instead of replacing them', () => {
    const bad = [Buffer.from('data: "'), Buffer.of(0xff), Buffer.from('"\n\n')];
    const reading = readAll(bad);
    expect([reading.progress, failureOf(reading)]).toEqual([['quiet', 'stop', 'stop'], 'malformed, retryable true']);
  });

  it('refuses a stream that ends in the middle of a character', () => {
    expect(failureOf(readAll([delta({ content: 'x' }), Buffer.of(0xf0, 0x9f)]))).toBe('cut-off, retryable true');
  });

  it('stops at an event over four million characters and at a reply over 64 MiB', () => {
    const line = Buffer.alloc(1024 * 1024, 'x');
    const long = readAll([Buffer.from('data: '), ...Array.from({ length: 5 }, () => line)]);
    const comment = Buffer.from(`:${'x'.repeat(1024 * 1024)}\n\n`);
    const large = readAll(Array.from({ length: 64 }, () => comment));
    expect([long.progress.at(-1), failureOf(long)]).toEqual(['stop', 'malformed, retryable true']);
    expect([large.progress.at(-1), failureOf(large)]).toEqual(['stop', 'malformed, retryable true']);
  });

  it.each([
    ['an event that is not JSON', 'data: {\n\n'],
    ['an error', event({ error: 'late' })],
    ['bytes that are not UTF-8', Buffer.of(0xff)],
  ])('keeps a whole reply when %s follows it', (_, late) => {
    expect(readAll([delta({ content: 'x' }, 'stop'), late]).result.kind).toBe('reply');
  });

  it('reads nothing after [DONE]', () => {
    const reading = readAll([delta({ content: 'x' }), done, delta({ content: 'y' })]);
    expect(reading.progress).toEqual(['content', 'whole', 'quiet']);
    expect(reading.result).toMatchObject({ kind: 'reply', reply: { message: { text: 'x' } } });
  });

  it('keeps a whole reply when the connection breaks after it', () => {
    const { result } = readAll([delta({ content: 'x' }, 'stop')], new Error('socket hang up'));
    expect(result.kind).toBe('reply');
  });
});

/** Cuts the bytes into pieces of the sizes given, over and over. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0, turn = 0; from < bytes.byteLength; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return pieces;
}
