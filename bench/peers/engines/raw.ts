// The floor: a loop written by hand. With a store it journals by `node:sqlite` (WAL, synchronous=FULL), one commit for each
// answer and each result. Begun again it reads its journal back, and simply runs a call that has no result once more.
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { askModel, type Call, type Message } from './ask-model.ts';
import type { OpenEngine } from './engine.ts';
import { callTool, system } from './tools.ts';

export const open: OpenEngine = async ({ baseUrl, store }) => {
  const journal = store === null ? null : await openJournal(store);
  return {
    async run({ conversation, prompt, begin }) {
      const messages = begin === 'again' ? (journal?.read(conversation) ?? []) : [];
      const add = (message: Message): Message => {
        journal?.append(conversation, messages.length, message);
        messages.push(message);
        return message;
      };
      if (messages.length === 0) {
        add({ role: 'system', content: system });
        add({ role: 'user', content: prompt });
      }
      for (;;) {
        const last = messages.at(-1);
        const answer = last?.role === 'assistant' ? last : add(await askModel(baseUrl, messages));
        if (answer.tool_calls === undefined) return answer.content;
        for (const call of answer.tool_calls) add(await perform(call));
      }
    },
    close: async () => journal?.close(),
  };
};

async function perform({ id, function: { name, arguments: text } }: Call): Promise<Message> {
  return { role: 'tool', tool_call_id: id, content: await callTool(name, JSON.parse(text)) };
}

interface FloorJournal {
  read(conversation: string): Message[];
  append(conversation: string, position: number, message: Message): void;
  close(): void;
}

async function openJournal(store: string): Promise<FloorJournal> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(store, 'journal.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(
    'create table if not exists message (conversation text, position integer, body text, primary key (conversation, position)) without rowid',
  );
  const insert: StatementSync = database.prepare('insert into message values (?, ?, ?)');
  const select = database.prepare('select body from message where conversation = ? order by position');
  return {
    read: (conversation) => select.all(conversation).map(({ body }) => JSON.parse(String(body))),
    append: (conversation, position, message) => void insert.run(conversation, position, JSON.stringify(message)),
    close: () => database.close(),
  };
}
