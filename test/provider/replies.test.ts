import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/engine/provider/model-provider.ts';
import type { ContextMessage } from '../../src/shared/message.ts';
import { playScript, testRequest } from './open-provider.ts';

const anyMs = expect.any(Number);

describe('a reply of the chat-completions provider', () => {
  it('arrives over real HTTP with text, calls and usage', async () => {
    const calls = [
      { tool: 'read_file', arguments: { path: 'größe.txt' } },
      { tool: 'list_dir', arguments: '' },
    ];
    const usage = { prompt: 90, completion: 12, cached: 64 };
    await using played = await playScript([{ text: 'Ich lese 😀 sofort.', reasoning: 'Hm.', calls, usage }]);
    const deltas: string[] = [];
    const result = await played.ask(testRequest, (delta) =>
      deltas.push(delta.kind === 'call' ? delta.tool : delta.text),
    );
    expect(result).toEqual({
      kind: 'reply',
      reply: {
        message: {
          text: 'Ich lese 😀 sofort.',
          calls: [
            { id: 'call_0_0', tool: 'read_file', arguments: '{"path":"größe.txt"}' },
            { id: 'call_0_1', tool: 'list_dir', arguments: '{}' },
          ],
        },
        finish: 'calls',
        usage: { inputTokens: 90, outputTokens: 12, cachedInputTokens: 64 },
        firstEventMs: anyMs,
        durationMs: anyMs,
      },
    });
    expect(deltas.slice(0, 2)).toEqual(['Hm.', 'Ich ']);
  });

  it('is asked for with a body of exactly the measured size', async () => {
    await using played = await playScript([{ text: 'x' }]);
    await played.ask();
    const sent = Buffer.byteLength(JSON.stringify(played.server.requests[0]?.body));
    expect(played.provider.measure(testRequest)).toBe(sent);
  });

  it('says that no usage was reported instead of zero', async () => {
    await using played = await playScript([{ text: 'x', usage: null }]);
    const result = await played.ask();
    expect(result.kind === 'reply' && result.reply.usage).toBe(null);
  });

  it('is the same when every character is split between two packets', async () => {
    await using played = await playScript([{ text: 'Grüße 😀', fault: { kind: 'split-bytes' } }]);
    const result = await played.ask();
    expect(result.kind === 'reply' && result.reply.message).toEqual({ text: 'Grüße 😀', calls: [] });
  });

  it('is read from one JSON document when the server does not stream', async () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'list_dir', arguments: {} } }],
    };
    const body = JSON.stringify({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    });
    const fault = { kind: 'other-body', contentType: 'application/json; charset=utf-8', body } as const;
    await using played = await playScript([{ fault }]);
    expect(await played.ask()).toEqual({
      kind: 'reply',
      reply: {
        message: { text: '', calls: [{ id: 'a', tool: 'list_dir', arguments: '{}' }] },
        finish: 'calls',
        usage: { inputTokens: 3, outputTokens: 1, cachedInputTokens: 0 },
        firstEventMs: anyMs,
        durationMs: anyMs,
      },
    });
  });

  it('is given back soon when the server never ends the body after [DONE]', async () => {
    await using played = await playScript([{ text: 'x', fault: { kind: 'never-end' } }], { idleTimeoutMs: 30_000 });
    const result = await played.ask();
    expect(result.kind === 'reply' && result.reply.durationMs < 5000).toBe(true);
  });

  it('leaves its connection to the next request', async () => {
    await using played = await playScript(() => ({ text: 'x' }));
    for (let turn = 0; turn < 3; turn++) {
      await played.ask();
      // As a run does, which journals the reply first: the connection is free one turn of the event loop later.
      await setImmediate();
    }
    expect(new Set(played.server.requests.map((request) => request.connection)).size).toBe(1);
  });

  it('is the same for the same request, so that a killed run can ask again', async () => {
    await using played = await playScript([{ text: 'first' }, { text: 'second' }]);
    const reply: ContextMessage = { role: 'assistant', text: 'first', calls: [] };
    const next: ModelRequest = { ...testRequest, messages: [...testRequest.messages, reply] };
    const texts: unknown[] = [];
    for (const request of [testRequest, testRequest, next, testRequest]) {
      const result = await played.ask(request);
      texts.push(result.kind === 'reply' && result.reply.message.text);
    }
    expect(texts).toEqual(['first', 'first', 'second', 'first']);
  });
});
