// LangGraph's prebuilt ReAct agent; with a store it keeps checkpoints in SQLite. Model calls are not streamed: see README.md.
import { join } from 'node:path';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import type { OpenEngine } from '../engine.ts';
import { libraryTools, system } from '../tools.ts';

const durability = process.env.LANGGRAPH_DURABILITY;

const tools = libraryTools.map(({ name, description, parameters, execute }) =>
  tool((args) => execute(args), { name, description, schema: parameters }),
);

export const open: OpenEngine = async ({ baseUrl, store }) => {
  const checkpointer = store === null ? undefined : await openCheckpoints(join(store, 'checkpoints.db'));
  const configuration = { baseURL: baseUrl };
  const streaming = process.env.LANGGRAPH_STREAM === '1';
  const llm = new ChatOpenAI({ model: 'scripted', apiKey: 'x', streaming, configuration, useResponsesApi: false });
  const agent = createReactAgent({ llm, tools, prompt: system, checkpointer });
  return {
    async run({ conversation, prompt, steps, begin }) {
      const options = {
        recursionLimit: 2 * steps + 10,
        configurable: { thread_id: conversation },
        ...(checkpointer !== undefined && durability !== undefined ? { durability } : {}),
      };
      const isKept = begin === 'again' && ((await agent.getState(options)).values?.messages?.length ?? 0) > 0;
      const input = isKept ? null : { messages: [{ role: 'user', content: prompt }] };
      const { messages } = await agent.invoke(input, options);
      return messages.at(-1).content;
    },
  };
};

/** Loaded only where it is needed: its native part has to be compiled first. */
async function openCheckpoints(file: string) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  return SqliteSaver.fromConnString(file);
}
