// Vercel's AI SDK: `streamText` with tools and a limit of steps. It keeps nothing by itself.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import type { OpenEngine } from '../engine.ts';
import { libraryTools, system } from '../tools.ts';

const tools = Object.fromEntries(
  libraryTools.map(({ name, description, parameters, execute }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute }),
  ]),
);

export const open: OpenEngine = async ({ baseUrl }) => {
  const provider = createOpenAICompatible({ name: 'local', baseURL: baseUrl, apiKey: 'x' });
  return {
    async run({ prompt, steps }) {
      const model = provider.chatModel('scripted');
      const stopWhen = isStepCount(steps + 5);
      let text = '';
      for await (const part of streamText({ model, instructions: system, prompt, tools, stopWhen }).textStream) {
        text += part;
      }
      return text;
    },
  };
};
