// DBOS Transact on Postgres: the floor's loop as one workflow, each answer and each call a step of it. Launched under the same
// executor it takes up pending workflows by itself.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { askModel, type Message } from '../ask-model.ts';
import type { OpenEngine } from '../engine.ts';
import { callTool, system } from '../tools.ts';

const work = DBOS.registerWorkflow(
  async (baseUrl: string, prompt: string): Promise<string> => {
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ];
    for (let step = 0; ; step++) {
      const answer = await DBOS.runStep(() => askModel(baseUrl, messages), { name: `model${step}` });
      messages.push(answer);
      if (answer.tool_calls === undefined) return answer.content;
      for (const { id, function: call } of answer.tool_calls) {
        const perform = () => callTool(call.name, JSON.parse(call.arguments));
        const content = await DBOS.runStep(perform, { name: `tool${step}` });
        messages.push({ role: 'tool', tool_call_id: id, content });
      }
    }
  },
  { name: 'agent' },
);

export const open: OpenEngine = async ({ baseUrl }) => {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: process.env.DBOS_PG,
    logLevel: 'error',
    runAdminServer: false,
    applicationVersion: '1',
  });
  await DBOS.launch();
  return {
    async run({ conversation, prompt, begin }) {
      const start = () => DBOS.startWorkflow(work, { workflowID: conversation })(baseUrl, prompt);
      const handle = begin === 'again' ? DBOS.retrieveWorkflow(conversation) : await start();
      return handle.getResult();
    },
  };
};
