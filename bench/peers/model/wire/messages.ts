// Anthropic's Messages.
import { z } from 'zod';
import { toContentText } from './content-text.ts';
import { type Answer, type ReadRequest, sendEvents, sendJson, toId, usage, type Wire } from './wire.ts';

const ResultPart = z.looseObject({ type: z.literal('tool_result'), content: z.unknown().optional() });

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  stream: z.boolean().nullish(),
});

export const messages: Wire = {
  path: /\/messages$/,
  read(body) {
    const { model, messages: said, tools, stream } = Body.parse(body);
    return {
      model,
      tools: tools.map(({ name }) => name),
      results: said.flatMap(({ content }) => (Array.isArray(content) ? content.flatMap(toResultTexts) : [])),
      userText: said.flatMap(({ role, content }) => (role === 'user' ? [toContentText(content)] : [])).join('\n'),
      streams: stream ?? false,
      wantsUsage: true,
    };
  },
  answer(response, request, answer) {
    if (request.streams) sendEvents(response, toEvents(request, answer));
    else
      sendJson(response, {
        ...toMessage(request),
        ...toEnd(answer),
        content: [toBlock(answer)],
        usage: toUsage(usage.output),
      });
  },
};

function toResultTexts(part: unknown): string[] {
  const result = ResultPart.safeParse(part);
  return result.success ? [toContentText(result.data.content)] : [];
}

const toMessage = ({ model }: ReadRequest) => ({ id: toId('msg_'), type: 'message', role: 'assistant', model });

const toEnd = ({ kind }: Answer) => ({ stop_reason: kind === 'call' ? 'tool_use' : 'end_turn', stop_sequence: null });

const toUsage = (output: number) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
});

const toBlock = (answer: Answer): object =>
  answer.kind === 'call'
    ? { type: 'tool_use', id: toId('toolu_'), name: answer.use.name, input: answer.use.arguments }
    : { type: 'text', text: answer.text };

function toEvents(request: ReadRequest, answer: Answer) {
  const begun = { ...toMessage(request), content: [], stop_reason: null, stop_sequence: null, usage: toUsage(1) };
  const empty = answer.kind === 'call' ? { ...toBlock(answer), input: {} } : { type: 'text', text: '' };
  const delta =
    answer.kind === 'call'
      ? { type: 'input_json_delta', partial_json: JSON.stringify(answer.use.arguments) }
      : { type: 'text_delta', text: answer.text };
  const events = [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: toEnd(answer), usage: { output_tokens: usage.output } },
    { type: 'message_stop' },
  ];
  return events.map((event) => ({ name: event.type, data: event }));
}
