// One request of the floor: a bare fetch, and the streamed answer put together.
import { libraryTools } from './tools.ts';

export interface Call {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
}

export interface Message {
  readonly role: string;
  content: string;
  readonly tool_calls?: Call[];
  readonly tool_call_id?: string;
}

/** The part of a streamed chunk that is looked at. */
interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: readonly (Call & { readonly index: number })[] };
  }[];
}

const tools = libraryTools.map(({ name, description, parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
}));

export async function askModel(baseUrl: string, messages: readonly Message[]): Promise<Message> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify({ model: 'scripted', messages, tools, stream: true, stream_options: { include_usage: true } }),
  });
  const calls: Call[] = [];
  let content = '';
  for await (const { choices } of readChunks(response)) {
    const delta = choices[0]?.delta ?? {};
    content += delta.content ?? '';
    for (const { index, id, function: part } of delta.tool_calls ?? []) {
      const call = calls[index] ?? { id, type: 'function', function: { name: part.name, arguments: '' } };
      call.function.arguments += part.arguments;
      calls[index] = call;
    }
  }
  return { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

async function* readChunks({ body }: Response): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) if (event !== 'data: [DONE]') yield JSON.parse(event.slice('data: '.length));
  }
}
