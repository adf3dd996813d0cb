import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../../shared/message.ts';
import { toWireRequest } from './to-wire-request.ts';

const target = { model: 'm', outputLimitField: 'max_tokens' } as const;
const messages: readonly ContextMessage[] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Grüße "x"' },
  { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'read', arguments: '{"path":"x"}' }] },
  { role: 'result', callId: 'a', text: 'content' },
  { role: 'assistant', text: 'Done.', calls: [] },
];
const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }];

const write = (request: { messages: readonly ContextMessage[]; tools: typeof tools }) =>
  Buffer.concat(toWireRequest(target, { ...request, maxOutputTokens: 64 })).toString();

describe('toWireRequest', () => {
  it('writes every role in the wire form of chat completions', () => {
    expect(JSON.parse(write({ messages, tools }))).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 64,
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Grüße "x"' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'content' },
        { role: 'assistant', content: 'Done.' },
      ],
    });
  });

  it('leaves out an empty list of tools', () => {
    expect(JSON.parse(write({ messages, tools: [] }))).not.toHaveProperty('tools');
  });

  it('writes the bytes of a longer conversation as those of the shorter one and more (goruck/home-generative-agent#617)', () => {
    const shorter = write({ messages: messages.slice(0, 3), tools });
    expect(write({ messages, tools }).startsWith(shorter.slice(0, -2))).toBe(true);
  });

  it('reuses what it wrote for a message object it has seen', () => {
    const first = toWireRequest(target, { messages, tools, maxOutputTokens: 1 });
    const second = toWireRequest(target, { messages, tools, maxOutputTokens: 1 });
    expect(second.slice(1).every((piece, position) => piece === first[position + 1])).toBe(true);
  });

  it.each(['{"path":"a", "cont', '[1]', 'null', '7'])(
    'sends %s, which is no object, back as an empty one, so that the server accepts the conversation',
    (text) => {
      const call = { id: 'a', tool: 'write', arguments: text };
      const body = JSON.parse(write({ messages: [{ role: 'assistant', text: 'x', calls: [call] }], tools }));
      expect(body.messages[0].tool_calls[0].function).toEqual({ name: 'write', arguments: '{}' });
    },
  );
});
