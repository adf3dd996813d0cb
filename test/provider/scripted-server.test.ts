import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Script } from '../support/scripted-model-script.ts';
import { startScriptedModelServer } from '../support/scripted-model-server.ts';

const messages = [{ role: 'user', content: 'Hello' }] as const;
const calls = [
  { tool: 'read_file', arguments: { path: 'größe.txt' } },
  { tool: 'list_dir', arguments: '{}' },
];
const wireCalls = [
  { id: 'call_0_0', type: 'function', function: { name: 'read_file', arguments: '{"path":"größe.txt"}' } },
  { id: 'call_0_1', type: 'function', function: { name: 'list_dir', arguments: '{}' } },
];

async function start(script: Script) {
  const server = await startScriptedModelServer(script);
  return { client: new OpenAI({ baseURL: server.url, apiKey: 'sk-test', maxRetries: 0 }), server };
}

describe('the scripted model server, read by the official OpenAI client,', () => {
  it('answers without streaming: text, calls and usage', async () => {
    const { client, server } = await start([{ text: 'Hi', calls, usage: { prompt: 7, completion: 3, cached: 2 } }]);
    await using _ = server;
    const completion = await client.chat.completions.create({ model: 'm', messages: [...messages] });
    expect({ choices: completion.choices, usage: completion.usage, object: completion.object }).toEqual({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', tool_calls: wireCalls },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 2 } },
    });
  });

  it('answers as a stream: text in pieces, calls in fragments, usage at the end', async () => {
    const { client, server } = await start([{ text: 'Hello there', calls, usage: { prompt: 7, completion: 3 } }]);
    await using _ = server;
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: [...messages],
      stream_options: { include_usage: true },
    });
    let fragments = 0;
    stream.on('chunk', (chunk) => {
      fragments += chunk.choices[0]?.delta.tool_calls?.length ?? 0;
    });
    const completion = await stream.finalChatCompletion();
    const choice = completion.choices[0];
    expect({ content: choice?.message.content, reason: choice?.finish_reason, usage: completion.usage }).toMatchObject({
      content: 'Hello there',
      reason: 'tool_calls',
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    });
    expect(choice?.message.tool_calls).toMatchObject(wireCalls);
    expect(fragments).toBeGreaterThan(4);
  });

  it('refuses with a status that the client knows', async () => {
    const { client, server } = await start([{ fault: { kind: 'status', status: 429, retryAfter: '3' } }]);
    await using _ = server;
    const error = await client.chat.completions
      .create({ model: 'm', messages: [...messages] })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect({ status: error.status, retryAfter: error.headers.get('retry-after'), message: error.message }).toEqual({
      status: 429,
      retryAfter: '3',
      message: '429 Scripted status 429',
    });
  });

  it('meets a fault only as often as the script says', async () => {
    const { client, server } = await start([{ text: 'Hi', fault: { kind: 'status', status: 500 }, faultTimes: 1 }]);
    await using _ = server;
    const ask = () => client.chat.completions.create({ model: 'm', messages: [...messages] });
    await expect(ask()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect((await ask()).choices[0]?.message.content).toBe('Hi');
  });

  it('says so when the script has no reply', async () => {
    const { client, server } = await start([]);
    await using _ = server;
    const asked = client.chat.completions.create({ model: 'm', messages: [...messages] });
    await expect(asked).rejects.toThrow('The script has no reply 0');
  });
});
