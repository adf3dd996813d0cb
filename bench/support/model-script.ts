// What the model of the benchmarks answers. The task itself says which script is wanted, so one server serves every length
// of run: a working one reads and writes a small file in turn, a streaming one talks slowly and reads, without end.
import type { Script, ScriptedReply, ScriptedRequest } from '../../test/support/scripted-model-script.ts';

export const toWorkingTask = (steps: number): string => `Work for ${steps} steps.`;

/** One of many that work at once: each writes a file of its own. */
export const toMemberTask = (steps: number, member: number): string => `Work for ${steps} steps as ${member}.`;

/** Has so many others work at once. */
export const toFanTask = (agents: number, steps: number): string =>
  `Have ${agents} agents work for ${steps} steps each.`;

export const streamingTask = 'Talk and read until you are stopped.';

/** Which tool a step uses: even ones read, odd ones write. */
export const toStepKind = (step: number): 'read' | 'write' => (step % 2 === 0 ? 'read' : 'write');

export const modelScript: Script = (request) => {
  const task = findTask(request);
  const [, agents, each] = /Have (\d+) agents work for (\d+) steps/.exec(task) ?? [];
  if (agents !== undefined) return toFanReply(request.position, Number(agents), Number(each));
  const [, steps, member = ''] = /Work for (\d+) steps(?: as (\d+))?/.exec(task) ?? [];
  if (steps === undefined) return toStreamingReply();
  return request.position < Number(steps) ? toWorkingReply(request.position, member) : { text: 'All steps are done.' };
};

function findTask({ messages }: ScriptedRequest): string {
  return String(messages.find(({ role }) => role === 'user')?.content);
}

function toFanReply(position: number, agents: number, steps: number): ScriptedReply {
  if (position > 0) return { text: 'All agents are done.' };
  const spawn = (member: number) => ({ tool: 'spawn_agent', arguments: { goal: toMemberTask(steps, member) } });
  return { calls: Array.from({ length: agents }, (_, member) => spawn(member)) };
}

function toWorkingReply(step: number, member: string): ScriptedReply {
  if (toStepKind(step) === 'read') return { calls: [{ tool: 'read_file', arguments: { path: 'input.txt' } }] };
  const content = `Step ${step} wrote this line.\nThe file is replaced as a whole.\n`;
  return { calls: [{ tool: 'write_file', arguments: { path: `output${member}.txt`, content } }] };
}

/** About fifty events a second, as a hosted model sends them. */
function toStreamingReply(): ScriptedReply {
  return {
    reasoning: 'The file has to be looked at once more before anything can be said about it. '.repeat(4),
    text: 'I read the file again, and compare it with what it held the last time I looked. '.repeat(4),
    calls: [{ tool: 'read_file', arguments: { path: 'input.txt' } }],
    eventDelayMs: 20,
  };
}
