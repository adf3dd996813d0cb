// OpenAI's Agents SDK on Chat Completions. It ships only a session in memory, so with a store it gets one in a file.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import type { OpenEngine } from '../engine.ts';
import { libraryTools, system } from '../tools.ts';

const tools = libraryTools.map(({ name, description, parameters, execute }) =>
  tool({ name, description, parameters, strict: true, execute }),
);

export const open: OpenEngine = async ({ baseUrl, store }) => {
  setTracingDisabled(true);
  const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'x', baseURL: baseUrl }), 'scripted');
  const agent = new Agent({ name: 'bench', instructions: system, tools, model });
  return {
    async run({ conversation, prompt, steps, begin }) {
      const input = begin === 'new' ? prompt : `CONV-${conversation} Continue.`;
      const session = store === null ? {} : { session: createFileSession(store, conversation) };
      const result = await run(agent, input, { stream: true, maxTurns: steps + 5, ...session });
      for await (const _ of result);
      await result.completed;
      return result.finalOutput;
    },
  };
};

function createFileSession(store: string, id: string) {
  const file = join(store, `${id}.jsonl`);
  const toLines = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const read = (): unknown[] => {
    try {
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    } catch {
      return []; // Nothing was written yet.
    }
  };
  return {
    getSessionId: async () => id,
    getItems: async () => read(),
    addItems: async (items: readonly unknown[]) => appendFileSync(file, toLines(items)),
    async popItem() {
      const items = read();
      const last = items.pop();
      writeFileSync(file, toLines(items));
      return last;
    },
    clearSession: async () => rmSync(file, { force: true }),
  };
}
