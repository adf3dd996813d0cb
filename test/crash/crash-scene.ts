// A short run with everything in it that a crash could come between: reads, edits, a command whose changes are made one after
// the other, a question with a rewrite, a page that is fetched, a request that fails, a check that does not pass at first.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, JournalEvent, RunHandle, RunId, RunResult } from '../../src/engine/index.ts';
import { listTree } from '../support/guarded-workspace.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import type { ScriptedCall, ScriptedReply, WireMessage } from '../support/scripted-model-script.ts';
import { startWebServer } from '../support/web-server.ts';

export interface CrashScene extends AsyncDisposable {
  readonly scenario: Scenario;
  /** How often the page was fetched. */
  countFetches(): number;
}

export interface DrivenRun {
  readonly runId: RunId;
  readonly result: RunResult;
  readonly events: readonly JournalEvent[];
  /** The tools of the calls about which a person had to say what became of them. */
  readonly recovered: readonly string[];
}

export const crashContract: ScenarioContract = {
  verification: { kind: 'command', argv: ['grep', '-q', 'checked', 'log.txt'] },
  budgets: { steps: 30 },
};

const pageText = 'a page that somebody wrote';

/** `asks`: one of its writes is put to a person, who has another text written. */
export async function openCrashScene({ asks = true } = {}): Promise<CrashScene> {
  await using opened = new AsyncDisposableStack();
  const page = opened.use(await startWebServer((_, response) => response.end(pageText)));
  const url = `http://127.0.0.1:${page.port}/`;
  const files = { 'log.txt': 'begin\nEND\n', 'old.txt': 'old\n', 'gone.txt': 'gone\n' };
  const scenario = opened.use(await openScenario(toScript(url), { files }));
  const policy = { layers: [{ name: 'test', rules: asks ? [...rules, asking] : rules }] };
  writeFileSync(join(scenario.home, 'policy.jsonc'), JSON.stringify(policy), { mode: 0o600 });
  const resources = opened.move();
  return {
    scenario,
    countFetches: () => page.requests.length,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const rules = [
  { act: 'write', effect: 'allow', pattern: '*' },
  { act: 'exec', effect: 'allow', pattern: '*' },
  { act: 'net', effect: 'allow', pattern: '127.0.0.1' },
];
const asking = { act: 'write', effect: 'ask', pattern: 'asked.txt' };

const edit = (path: string, line: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old: 'END', new: `${line}\nEND` },
});
const write = (path: string, content: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content } });
const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });

/** Done twice it would leave its line twice, as each edit would. */
const command =
  'sed -i "s/END/by command\\nEND/" log.txt && mkdir -p made/deep && echo x >> made/deep/a.txt && echo y >> made/b.txt && rm gone.txt';

function toScript(url: string): (request: { readonly position: number }) => ScriptedReply {
  const replies: readonly ScriptedReply[] = [
    { calls: [read('log.txt'), read('old.txt')] },
    { calls: [edit('log.txt', 'one'), edit('log.txt', 'two')] },
    { calls: [write('new/file.txt', 'new\nEND\n'), write('asked.txt', 'as the model wrote it')] },
    { calls: [{ tool: 'shell', arguments: { command } }] },
    { calls: [{ tool: 'fetch_url', arguments: { url } }, edit('new/file.txt', 'behind the page')] },
    { text: 'Done, I think.', fault: { kind: 'status', status: 503 }, faultTimes: 1 },
    { calls: [read('log.txt'), edit('log.txt', 'checked')] },
    { text: 'Done.' },
  ];
  return ({ position }) => replies[position] ?? { text: 'Nothing is left.' };
}

/** Follows a run to its end, as the person who answers what it asks. */
export async function attend(engine: Engine, handle: RunHandle): Promise<DrivenRun> {
  const events: JournalEvent[] = [];
  const actor = 'person:test';
  const recovered: string[] = [];
  for await (const batch of handle.events()) {
    events.push(...batch);
    for (const { request, details } of await engine.listApprovals(handle.runId)) {
      const isNew = details.arguments.includes('as the model wrote it');
      const rewrite = isNew ? { rewrite: { path: 'asked.txt', content: 'as a person wrote it' } } : {};
      await engine.decide({ request, decision: 'approve', actor, ...rewrite });
    }
    for (const { request, tool } of await engine.listRecoveries(handle.runId)) {
      // Nothing of a command stands in the workspace before it is staged; a page was asked for.
      const decision =
        tool === 'shell' ? { decision: 'retry' as const } : { decision: 'completed' as const, result: pageText };
      await engine.recover({ request, actor, ...decision });
      recovered.push(tool);
    }
  }
  return { runId: handle.runId, result: await handle.result, events, recovered };
}

/** What must be the same however the run was cut into pieces. */
export function describeEnd({ workspace, ...scenario }: Scenario, { result: { outcome, evidence } }: DrivenRun) {
  const contents = listTree(workspace).map((path) => [path, path.includes('.') ? scenario.read(path) : null]);
  return { outcome, evidence, contents, transcript: scenario.messages(-1).map(withoutFetched).map(toText(workspace)) };
}

/** Where it happened to be: another directory and another port each time. */
const toText = (workspace: string) => (message: WireMessage) =>
  JSON.stringify(message)
    .replaceAll(workspace, 'WORKSPACE')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'PAGE');

/** What a page brought is told in other words when a person had to say it. */
function withoutFetched(message: WireMessage): WireMessage {
  const isFetched = message.role === 'tool' && String(message.content).includes(pageText);
  return isFetched ? { ...message, content: 'fetched' } : message;
}
