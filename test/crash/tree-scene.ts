// A run of many agents with everything in it that a crash could cut in two: agents that are waited for and others that are not,
// agents of agents, mail, edits that would show if they were made twice, a command. What each says does not hang on who is quick.
import { hash } from 'node:crypto';
import type { JournalEvent, RunResult } from '../../src/engine/index.ts';
import { listTree } from '../support/guarded-workspace.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import type { ScriptedCall, ScriptedReply } from '../support/scripted-model-script.ts';
import { findAgent, spawn, type TreeRequest, toTreeScript, write } from '../support/tree-script.ts';

/** How many agents the root spawns; each third of those it waits for spawns one of its own. */
export interface TreeSize {
  readonly waited: number;
  readonly detached: number;
}

export const countAgents = ({ waited, detached }: TreeSize): number => 1 + waited + Math.ceil(waited / 3) + detached;

export const treeContract: ScenarioContract = {
  containment: { total: 100, concurrent: 6, depth: 2 },
  budgets: { steps: 30 },
};

export function openTreeScene({ waited, detached }: TreeSize): Promise<Scenario> {
  const files = Object.fromEntries(
    ['root.txt', ...Array.from({ length: waited }, (_file, place) => `c${place}.txt`)].map((file) => [file, 'END\n']),
  );
  const script = toTreeScript({
    root: toRootReplies({ waited, detached }),
    '*': toReply,
  });
  return openScenario(script, { files });
}

/** The first reply of some agents comes slowly, so that others overtake them. */
function toReply(request: TreeRequest): ScriptedReply | undefined {
  const reply = toReplies(request.agent)[request.position];
  const isSlow = request.position === 0 && hash('sha256', request.agent).startsWith('0');
  return reply === undefined || !isSlow ? reply : { ...reply, delayMs: 20 };
}

const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
/** Made a second time it would leave its line twice. */
const append = (path: string, line: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old: 'END', new: `${line}\nEND` },
});

function toRootReplies({ waited, detached }: TreeSize): ScriptedReply[] {
  const names = Array.from({ length: detached }, (_agent, place) => `root/2.${place}`);
  return [
    { calls: Array.from({ length: waited }, (_agent, place) => spawn(`Work on c${place}.txt.`)) },
    { calls: [...names.map((name) => spawn(`Be ${name}.`, { detached: true })), read('root.txt')] },
    { calls: [{ tool: 'read_messages', arguments: { seconds: 3600 } }, append('root.txt', 'mail is read')] },
    { calls: [{ tool: 'wait_agents', arguments: { agents: names } }, append('root.txt', 'all have ended')] },
    { text: 'All done.' },
  ];
}

function toReplies(agent: string): readonly ScriptedReply[] {
  const [, own = '', below] = agent.split('/');
  const place = Number(own.split('.')[1]);
  if (below !== undefined) return [{ calls: [write(`g${place}.txt`, agent)] }, { text: `${agent} has written.` }];
  return own.startsWith('1.') ? toWaited(agent, place) : toDetached(agent, place);
}

function toWaited(agent: string, place: number): ScriptedReply[] {
  const file = `c${place}.txt`;
  const command = { tool: 'shell', arguments: { command: `sed -i 's/END/by command\\nEND/' ${file}` } };
  const more = place % 3 === 0 ? [spawn(`Write g${place}.txt.`)] : [];
  return [
    { calls: [read(file)] },
    { calls: [append(file, 'first'), ...more, ...(place === 1 ? [command, read(file)] : [])] },
    { calls: [append(file, 'second'), append(file, 'third')] },
    { text: `${agent} has changed ${file}.` },
  ];
}

function toDetached(agent: string, place: number): ScriptedReply[] {
  const mail = { tool: 'send_message', arguments: { to: 'parent', text: `${agent} is halfway.` } };
  return [
    { calls: [write(`d${place}.txt`, agent)] },
    { calls: [place === 0 ? mail : read(`d${place}.txt`)] },
    { text: `${agent} is done.` },
  ];
}

/** What must be the same however often the run was cut off. `requests`: of which the transcripts are told, the last of each agent. */
export function describeTreeEnd(
  { workspace, server, ...scenario }: Scenario,
  { outcome, usage }: RunResult,
  requests = server.requests,
) {
  const { unknown, activeMs, ...spent } = usage;
  const contents = listTree(workspace).map((path) => [path, scenario.read(path)]);
  const transcripts: Record<string, unknown> = {};
  for (const { body } of requests) {
    const messages = Array.isArray(body?.messages) ? body.messages : [];
    transcripts[findAgent({ messages })] = messages;
  }
  return { outcome, spent, contents, transcripts };
}

/** What was done twice, by the journal and by what the server was asked; all of it has to be 0. */
export function countTwice({ server }: Scenario, events: readonly JournalEvent[]) {
  const counts = { agents: 0, replies: 0, reports: 0, mail: 0, unjournaled: 0 };
  const seen = new Set<string>();
  const count = (name: keyof typeof counts, key: string): void => {
    if (seen.has(`${name} ${key}`)) counts[name] += 1;
    seen.add(`${name} ${key}`);
  };
  const started = new Map<string, number>();
  for (const event of events) {
    const key = `${event.agentId} ${event.step}`;
    if (event.type === 'agent-spawn') count('agents', event.child);
    if (event.type === 'model-finish') count('replies', key);
    if (event.type === 'agent-finish') count('reports', event.agentId);
    if (event.type === 'mail-send') count('mail', `${key} ${event.call}`);
    if (event.type !== 'model-start') continue;
    started.set(key, (started.get(key) ?? 0) + 1);
    if (seen.has(`replies ${key}`)) counts.replies += 1;
  }
  const asked = new Map<string, number>();
  for (const { body, position } of server.requests) {
    const key = `${findAgent({ messages: Array.isArray(body?.messages) ? body.messages : [] })} ${position + 1}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  for (const [key, times] of asked) counts.unjournaled += Math.max(0, times - (started.get(key) ?? 0));
  return counts;
}
