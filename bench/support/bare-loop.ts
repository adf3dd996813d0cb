// The least that a durable agent loop can be: a bare fetch loop with one WAL commit (synchronous=FULL) for each answer and each
// result, one file read or write a step, and writes that sync file and folder. No policy, no checks of arguments, no trace, no
// budgets.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; arguments: string };
}

interface Message {
  readonly role: string;
  content: string;
  readonly tool_calls?: Call[];
  readonly tool_call_id?: string;
}

/** The part of a streamed chunk that the loop looks at. */
interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: readonly (Call & { readonly index: number })[] };
  }[];
}

export interface Place {
  readonly url: string;
  readonly task: string;
  readonly workspace: string;
}

/** Makes a message of a conversation durable. */
export type Save = (conversation: string, message: Message) => void;

const tools = [defineTool('read_file', ['path']), defineTool('write_file', ['path', 'content'])];

/** Goes on until the model makes no more calls. `place.task` is the name of the conversation as well. */
export async function runLoop(place: Place, save: Save, signal: AbortSignal): Promise<void> {
  const messages: Message[] = [
    { role: 'system', content: 'Work with the tools you are given.' },
    { role: 'user', content: place.task },
  ];
  for (;;) {
    const answer = await ask(place.url, messages, signal);
    messages.push(answer);
    save(place.task, answer);
    if (answer.tool_calls?.length === 0) return;
    for (const call of answer.tool_calls ?? []) {
      const result = { role: 'tool', tool_call_id: call.id, content: act(place.workspace, call) };
      messages.push(result);
      save(place.task, result);
    }
  }
}

/** One transaction of its own for each message. */
export function openBareJournal(directory: string): Save {
  const database = new SqliteDatabase(join(directory, 'floor.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('create table message (id integer primary key, conversation text, body text)');
  const insert = database.prepare('insert into message (conversation, body) values (?, ?)');
  return (conversation, message) => void insert.run(conversation, JSON.stringify(message));
}

async function ask(base: string, messages: readonly Message[], signal: AbortSignal): Promise<Message> {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer benchmark-key' },
    body: JSON.stringify({ model: 'scripted', messages, tools, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  const calls: Call[] = [];
  const message: Message = { role: 'assistant', content: '', tool_calls: calls };
  for await (const { choices } of readChunks(response)) {
    const { content = '', tool_calls = [] } = choices[0]?.delta ?? {};
    message.content += content;
    for (const { index, id, function: part } of tool_calls) {
      const call = calls[index] ?? { id, function: { name: part.name, arguments: '' } };
      call.function.arguments += part.arguments;
      calls[index] = call;
    }
  }
  return message;
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

function act(directory: string, call: Call): string {
  const { path, content }: { path: string; content: string } = JSON.parse(call.function.arguments);
  const file = join(directory, path);
  if (call.function.name === 'read_file') return readFileSync(file, 'utf8');
  writeSynced(file, content);
  return `Wrote ${path}.`;
}

/** Temporary file, sync, rename, sync of the folder: a crash leaves the old content or the new one. */
function writeSynced(file: string, content: string): void {
  const descriptor = openSync(`${file}.new`, 'w');
  writeSync(descriptor, content);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${file}.new`, file);
  const folder = openSync(join(file, '..'), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function defineTool(name: string, required: readonly string[]): object {
  const properties = Object.fromEntries(required.map((property) => [property, { type: 'string' }]));
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}
