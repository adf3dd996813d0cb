// Responses.
import { z } from 'zod';
import { toContentText } from './content-text.ts';
import { type Answer, nowSeconds, type ReadRequest, sendEvents, sendJson, toId, usage, type Wire } from './wire.ts';

const Item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
});

/** A tool without a name is known by its type; one of type `namespace` holds others. */
const OfferedTool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

const Body = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  tools: z.array(OfferedTool).default([]),
  stream: z.boolean().nullish(),
});

export const responses: Wire = {
  path: /\/responses$/,
  read(body) {
    const { model, input, tools, stream } = Body.parse(body);
    const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
    return {
      model,
      tools: tools.flatMap((tool) => tool.tools?.map(({ name }) => name) ?? [tool.name ?? tool.type]),
      results: items.filter(isResult).map((item) => toContentText('output' in item ? item.output : '')),
      userText: items.flatMap(({ role, content }) => (role === 'user' ? [toContentText(content)] : [])).join('\n'),
      streams: stream ?? false,
      wantsUsage: true,
    };
  },
  answer(response, request, answer) {
    const item = answer.kind === 'call' ? toCallItem(answer) : toMessageItem(answer);
    const id = toId('resp_');
    const completed = toResponse(id, request, { status: 'completed', output: [item], usage: usageReport });
    if (!request.streams) return sendJson(response, completed);
    const begun = toResponse(id, request, { status: 'in_progress', output: [], usage: null });
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...(item.type === 'message' ? toMessageEvents(item) : toCallEvents(item)),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: completed },
    ];
    sendEvents(
      response,
      events.map((event, position) => ({ name: event.type, data: { ...event, sequence_number: position } })),
    );
  },
};

const isResult = ({ type = '' }: z.infer<typeof Item>): boolean => type.endsWith('_call_output');

const usageReport = {
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.input + usage.output,
};

const toResponse = (id: string, { model }: ReadRequest, rest: object): object => ({
  id,
  object: 'response',
  created_at: nowSeconds(),
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  ...rest,
});

const toCallItem = ({ use }: Extract<Answer, { kind: 'call' }>) => ({
  type: 'function_call' as const,
  id: toId('fc_'),
  call_id: toId('call_'),
  name: use.name,
  arguments: JSON.stringify(use.arguments),
  status: 'completed',
});

const toMessageItem = ({ text }: Extract<Answer, { kind: 'text' }>) => ({
  type: 'message' as const,
  id: toId('msg_'),
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

function toCallEvents(item: ReturnType<typeof toCallItem>) {
  const at = { output_index: 0, item_id: item.id };
  return [
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', arguments: '' } },
    { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
    { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
  ];
}

function toMessageEvents(item: ReturnType<typeof toMessageItem>) {
  const at = { output_index: 0, item_id: item.id, content_index: 0 };
  const [part] = item.content;
  return [
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: part?.text, logprobs: [] },
    { type: 'response.output_text.done', ...at, text: part?.text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
  ];
}
