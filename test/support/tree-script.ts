// Scripts for a tree: each agent has replies of its own, found by what its first message says it is called.
import type { Script, ScriptedReply, ScriptedRequest } from './scripted-model-script.ts';

/** By the name of the agent; `*` for whoever has none. A function is asked with the name. */
export type TreeScript = Readonly<Record<string, AgentScript>>;

export type AgentScript = readonly ScriptedReply[] | ((request: TreeRequest) => ScriptedReply | undefined);

export interface TreeRequest extends ScriptedRequest {
  readonly agent: string;
}

export function toTreeScript(script: TreeScript): Script {
  return (request) => {
    const agent = findAgent(request);
    const own = script[agent] ?? script['*'];
    return typeof own === 'function' ? own({ ...request, agent }) : own?.[request.position];
  };
}

/** As its prompt tells it. */
export function findAgent({ messages }: Pick<ScriptedRequest, 'messages'>): string {
  const prompt = messages.find(({ role }) => role === 'user')?.content;
  return /You are the agent (\S+)\. Another agent/.exec(typeof prompt === 'string' ? prompt : '')?.[1] ?? 'root';
}

export const spawn = (goal: string, more: Readonly<Record<string, unknown>> = {}) => ({
  tool: 'spawn_agent',
  arguments: { goal, ...more },
});

export const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } });

/** Everything may be written. */
export const containment = { total: 1000, concurrent: 100, depth: 3 };
