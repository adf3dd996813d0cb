// Mastra: `Agent.stream`, or with a store a durable agent on LibSQL.
import { join } from 'node:path';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import type { OpenEngine } from '../engine.ts';
import { libraryTools, system } from '../tools.ts';

const tools = Object.fromEntries(
  libraryTools.map(({ name, description, schema, execute }) => [
    name,
    createTool({ id: name, description, inputSchema: schema, execute }),
  ]),
);

export const open: OpenEngine = async ({ baseUrl, store }) => {
  const model = { id: 'local/scripted', url: baseUrl, apiKey: 'x' };
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: system, tools, model });
  return store === null ? openPlain(agent) : openDurable(agent, store);
};

function openPlain(agent: Agent) {
  const mastra = new Mastra({ agents: { bench: agent }, logger: noopLogger });
  return {
    async run({ prompt, steps }) {
      return (await mastra.getAgent('bench').stream(prompt, { maxSteps: steps + 5 })).text;
    },
  };
}

async function openDurable(agent: Agent, store: string) {
  const { createDurableAgent } = await import('@mastra/core/agent/durable');
  const { LibSQLStore } = await import('@mastra/libsql');
  const durable = createDurableAgent({ agent });
  new Mastra({
    agents: { bench: durable },
    storage: new LibSQLStore({ id: 'store', url: `file:${join(store, 'mastra.db')}` }),
    recovery: { durableAgents: process.env.MASTRA_RECOVERY ?? 'auto' },
    logger: noopLogger,
  });
  return {
    async run({ conversation, prompt, steps, begin }) {
      if (begin === 'again') return (await durable.recover(conversation)).output.text;
      const result = await durable.stream(prompt, { maxSteps: steps + 5, runId: conversation });
      const text = await result.output.text;
      result.cleanup?.();
      return text;
    },
  };
}
