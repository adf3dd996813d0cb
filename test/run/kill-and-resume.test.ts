// The promise that everything else stands on: a run whose process is killed with SIGKILL, at any moment, goes on as if nothing
// had happened. Nothing paid is paid again, nothing done is done again, and the model cannot tell the difference.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JournalEvent, RunId, RunResult } from '../../src/engine/index.ts';
import { createRandom } from '../support/create-random.ts';
import { listTree } from '../support/guarded-workspace.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { startCli } from '../support/run-cli.ts';
import type { Script, ScriptedCall } from '../support/scripted-model-script.ts';

/** An edit that would succeed a second time too, and leave its line twice. */
const append = (file: string, line: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path: file, old: 'END', new: `${line}\nEND` },
});
const write = (path: string, content: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content } });
const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
/** Run twice on what it left the first time, it would leave its line twice as well. */
const shell = (command: string): ScriptedCall => ({ tool: 'shell', arguments: { command } });

const steps: readonly (readonly ScriptedCall[])[] = [
  [read('log.txt'), { tool: 'list_dir', arguments: { path: '.' } }],
  [append('log.txt', 'one')],
  [write('new/file.txt', 'first\nEND\n'), append('log.txt', 'two'), append('log.txt', 'three')],
  [append('new/file.txt', 'a'), read('new/file.txt'), append('new/file.txt', 'b'), read('new/file.txt')],
  [{ tool: 'grep', arguments: { pattern: 'END' } }, read('.env'), { tool: 'no_such_tool', arguments: {} }],
  [write('whole.txt', 'version 1'), write('whole.txt', 'version 2')],
  [
    shell(
      "sed -i 's/END/by command\\nEND/' log.txt; mkdir -p made/deep; echo x >> made/deep/a.txt; rm whole.txt; wc -l log.txt",
    ),
  ],
  [append('log.txt', 'four'), { tool: 'edit_file', arguments: { path: 'log.txt', old: 'absent', new: 'x' } }],
];
const files = { 'log.txt': 'begin\nEND\n', '.env': 'NAME=1\n' };
const contract: ScenarioContract = {
  verification: { kind: 'command', argv: ['grep', 'END', 'log.txt'] },
  budgets: { steps: 20 },
};

type Steps = typeof steps;

function open(work: Steps): Promise<Scenario> {
  const script: Script = ({ position }) => {
    const calls = work[position];
    if (calls === undefined) return { text: 'Everything is written.' };
    return { text: `Step ${position + 1}.`, calls, ...(position % 3 === 0 ? { eventDelayMs: 1 } : {}) };
  };
  return openScenario(script, { files });
}

function startRun(scenario: Scenario, environment: Readonly<Record<string, string>> = {}) {
  return startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
    environment: { ...scenario.environment, ...environment },
    input: JSON.stringify(scenario.contract(contract)),
  });
}

const startResume = (scenario: Scenario, runId: RunId) =>
  startCli(['resume', runId, '--json', '--home', scenario.home], { environment: scenario.environment });

/** What must be the same however often the run was killed. */
function describeEnd(scenario: Scenario, { outcome, exitCode, usage }: RunResult) {
  const { unknown, activeMs, ...spent } = usage;
  const contents = listTree(scenario.workspace)
    .filter((path) => /\./.test(path))
    .map((path) => [path, scenario.read(path)]);
  return { outcome, exitCode, spent, contents, transcript: scenario.messages(-1) };
}

/** How often replies were asked for that the journal already held, and how often others were asked for again. */
function countRequests(scenario: Scenario, events: readonly JournalEvent[]) {
  const committed = new Map<number, number>();
  const counts = { repeatedPaid: 0, repeatedOpen: 0, unjournaled: 0 };
  const started = new Map<number, number>();
  for (const { type, step } of events) {
    if (type === 'model-finish') committed.set(step, (committed.get(step) ?? 0) + 1);
    if (type === 'model-start' && committed.has(step)) counts.repeatedPaid += 1;
    if (type === 'model-start') started.set(step, (started.get(step) ?? 0) + 1);
  }
  for (const [step, times] of started) {
    const asked = scenario.server.requests.filter(({ position }) => position === step - 1).length;
    counts.unjournaled += Math.max(0, asked - times);
    counts.repeatedOpen += Math.max(0, asked - 1);
  }
  counts.repeatedPaid += [...committed.values()].filter((times) => times > 1).length;
  return counts;
}

async function runUninterrupted(work: Steps) {
  await using scenario = await open(work);
  const { result } = await scenario.run(contract, { approve: 'all' });
  return describeEnd(scenario, result);
}

async function findRunId(scenario: Scenario): Promise<RunId> {
  const [run] = await scenario.engine.listRuns();
  if (run === undefined) throw new Error('The run is not in the journal');
  return run.runId;
}

interface Moment {
  /** How many requests have reached the server. */
  readonly requests: number;
  readonly thenMs: number;
}

/** Kills a run at each of these moments, letting it go on in between, and brings it to its end. */
async function runThrough(moments: readonly Moment[]) {
  await using scenario = await open(steps);
  let killed = 0;
  for (const [place, { requests, thenMs }] of moments.entries()) {
    await using cli = place === 0 ? startRun(scenario) : startResume(scenario, await findRunId(scenario));
    await Promise.race([scenario.server.until((log) => log.length >= requests), cli.end]);
    await delay(thenMs);
    cli.kill('SIGKILL');
    if ((await cli.end).signal === 'SIGKILL') killed += 1;
  }
  return { killed, ...(await bringToEnd(scenario)) };
}

async function bringToEnd(scenario: Scenario) {
  const runId = await findRunId(scenario);
  const { result } = await scenario.resume(runId);
  const events = await scenario.engine.readEvents(runId);
  return { end: describeEnd(scenario, result), counts: countRequests(scenario, events) };
}

/** Crashes a run right before or after its nth commit and brings it to its end; null when it has no nth commit. */
async function runThroughCommit(work: Steps, crashPoint: string) {
  await using scenario = await open(work);
  const { signal } = await startRun(scenario, { IO_STUDIO_CRASH_POINT: crashPoint }).end;
  if (signal === null) return null;
  if ((await scenario.engine.listRuns()).length === 0) return 'not begun';
  return await bringToEnd(scenario);
}

describe('a run that is killed', () => {
  it('at any of 16 random moments goes on without paying, doing or saying anything twice', async () => {
    const seed = Number(process.env.IO_STUDIO_KILL_SEED ?? Date.now() % 1_000_000);
    const random = createRandom(seed);
    const toMoment = (): Moment => ({
      requests: 1 + Math.floor(random() * (steps.length + 1)),
      thenMs: Math.floor(random() * 100),
    });
    // Every fourth is killed a second time while it is being resumed.
    const plans = Array.from({ length: 16 }, (_each, place) =>
      (place % 4 === 0 ? [toMoment(), toMoment()] : [toMoment()]).toSorted((a, b) => a.requests - b.requests),
    );
    const expected = await runUninterrupted(steps);
    expect(expected).toMatchObject({ outcome: { kind: 'met', checked: true }, exitCode: 0 });

    const totals = { runs: 0, kills: 0, repeatedPaid: 0, repeatedOpen: 0, unjournaled: 0 };
    const queue = [...plans];
    const work = async () => {
      for (let moments = queue.shift(); moments !== undefined; moments = queue.shift()) {
        const { killed, end, counts } = await runThrough(moments);
        expect(end, `seed ${seed}, killed at ${JSON.stringify(moments)}`).toEqual(expected);
        expect(counts.repeatedOpen, `seed ${seed}, killed at ${JSON.stringify(moments)}`).toBeLessThanOrEqual(killed);
        totals.runs += 1;
        totals.kills += killed;
        totals.repeatedPaid += counts.repeatedPaid;
        totals.repeatedOpen += counts.repeatedOpen;
        totals.unjournaled += counts.unjournaled;
      }
    };
    await Promise.all([work(), work()]);
    const { runs, kills, repeatedPaid, repeatedOpen, unjournaled } = totals;
    console.log(
      `seed ${seed}: ${runs} runs, ${kills} kills, ${runs} resumed to the same end; ${repeatedPaid} paid replies asked ` +
        `for again, ${unjournaled} requests without a record, 0 edits doubled; ${repeatedOpen} open requests repeated`,
    );
    expect({ runs, repeatedPaid, unjournaled }).toEqual({ runs: 16, repeatedPaid: 0, unjournaled: 0 });
    expect(kills).toBeGreaterThan(12);
  }, 300_000);

  it('right before or right after any of its commits goes on in the same way (openai/openai-agents-js#441)', async () => {
    const work = steps.slice(2, 5);
    const expected = await runUninterrupted(work);
    const endings: string[] = [];
    const crashAll = async (where: string) => {
      for (let nth = 1; ; nth++) {
        const run = await runThroughCommit(work, `${where}:${nth}`);
        if (run === null) break;
        endings.push(`${where} ${run === 'not begun'}`);
        if (run === 'not begun') continue;
        expect(run.end, `${where} ${nth}`).toEqual(expected);
        expect(run.counts, `${where} ${nth}`).toMatchObject({ repeatedPaid: 0, unjournaled: 0 });
      }
    };
    await Promise.all([crashAll('before-commit'), crashAll('after-commit')]);
    expect(endings.filter((ending) => ending === 'before-commit true').length).toBe(1);
    expect(endings.length).toBeGreaterThan(20);
  }, 300_000);
});
