// Chat Completions.
import { z } from 'zod';
import { toContentText } from './content-text.ts';
import { type Answer, nowSeconds, type ReadRequest, sendEvents, sendJson, toId, usage, type Wire } from './wire.ts';

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

export const chat: Wire = {
  path: /\/chat\/completions$/,
  read(body) {
    const { model, messages, tools, stream, stream_options } = Body.parse(body);
    const textsOf = (role: string) => messages.filter((message) => message.role === role).map(toText);
    return {
      model,
      tools: tools.map((tool) => tool.function.name),
      results: textsOf('tool'),
      userText: textsOf('user').join('\n'),
      streams: stream ?? false,
      wantsUsage: stream_options?.include_usage ?? false,
    };
  },
  answer(response, request, answer) {
    if (request.streams) sendEvents(response, toEvents(request, answer));
    else sendJson(response, toCompletion(request, answer));
  },
};

const toText = ({ content }: { content?: unknown }): string => toContentText(content);

const usageReport = {
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
};

const toBase = ({ model }: ReadRequest) => ({ id: toId('chatcmpl-'), created: nowSeconds(), model });

const toFinishReason = ({ kind }: Answer): string => (kind === 'call' ? 'tool_calls' : 'stop');

function toCompletion(request: ReadRequest, answer: Answer): object {
  const spoken = { role: 'assistant', content: answer.kind === 'text' ? answer.text : null, refusal: null };
  const message = answer.kind === 'text' ? spoken : { ...spoken, tool_calls: [toCall(answer)] };
  const choice = { index: 0, finish_reason: toFinishReason(answer), logprobs: null, message };
  return { ...toBase(request), object: 'chat.completion', choices: [choice], usage: usageReport };
}

/** The arguments of a call come in two pieces. */
function toEvents(request: ReadRequest, answer: Answer): { data: unknown }[] {
  const base = { ...toBase(request), object: 'chat.completion.chunk' };
  const toChunk = (delta: object, finish_reason: string | null = null) => ({
    data: { ...base, choices: [{ index: 0, delta, finish_reason }] },
  });
  return [
    toChunk({ role: 'assistant', content: '' }),
    ...toDeltas(answer).map((delta) => toChunk(delta)),
    toChunk({}, toFinishReason(answer)),
    ...(request.wantsUsage ? [{ data: { ...base, choices: [], usage: usageReport } }] : []),
    { data: '[DONE]' },
  ];
}

function toDeltas(answer: Answer): object[] {
  if (answer.kind === 'text') return [{ content: answer.text }];
  const call = toCall(answer);
  const text = call.function.arguments;
  const middle = Math.floor(text.length / 2);
  const pieces = [text.slice(0, middle), text.slice(middle)];
  return [
    { tool_calls: [{ index: 0, ...call, function: { ...call.function, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}

const toCall = ({ use }: Extract<Answer, { kind: 'call' }>) => ({
  id: toId('call_'),
  type: 'function',
  function: { name: use.name, arguments: JSON.stringify(use.arguments) },
});
