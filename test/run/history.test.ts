// Whatever a crash or a damaged store has left of a run, what its model is asked next is whole; and a request depends on
// nothing but the run: no clock, no place and no id stands in it.
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';
import { startWebServer } from '../support/web-server.ts';

const call = (tool: string, args: Record<string, unknown>) => ({ tool, arguments: args });
const read = call('read_file', { path: 'a.txt' });

const story: Script = [
  { calls: [read, call('list_dir', { path: '.' }), call('no_such_tool', {})] },
  { calls: [call('edit_file', { path: 'a.txt', old: 'one', new: 'two' }), read] },
  { calls: [call('shell', { command: './work; ls; exit 3' })] },
  { text: 'Done.' },
  { calls: [call('write_file', { path: 'done.txt', content: 'done\n' })] },
  { text: 'Done.' },
];
const files = { 'a.txt': 'one\n', work: '#!/bin/sh\necho more > b.txt\n' };
const contract: ScenarioContract = {
  verification: { kind: 'command', argv: ['test', '-e', 'done.txt'], expectExit: 0 },
};

async function open(): Promise<Scenario> {
  const scenario = await openScenario(story, { files });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  return scenario;
}

async function record(): Promise<{ scenario: Scenario; events: readonly JournalEvent[] }> {
  const scenario = await open();
  const { events } = await scenario.run(contract, { approve: 'all' });
  await scenario.engine.close();
  return { scenario, events };
}

const runOf = ([first]: readonly JournalEvent[]) => {
  if (first === undefined) throw new Error('The run has no events');
  return first.runId;
};

function edit({ home }: Scenario, use: (database: SqliteDatabase.Database) => void): void {
  const database = new SqliteDatabase(join(home, 'journal.db'));
  database.pragma('foreign_keys = OFF');
  use(database);
  database.close();
}

/** The journal as it would be had nothing after this event become durable. */
function cutAfter(scenario: Scenario, seq: number): void {
  edit(scenario, (database) => {
    for (const table of ['event_blob', 'trace_row', 'act', 'person_key']) {
      database.prepare(`delete from ${table} where position in (select position from event where seq > ?)`).run(seq);
    }
    database.prepare('delete from event where seq > ?').run(seq);
    database.exec('update run set outcome = null');
  });
}

/** Faults of all requests from this one on. */
function findFaults(scenario: Scenario, from: number): string[] {
  const places = scenario.server.requests.map((_request, place) => place).slice(from);
  return places.flatMap((place) => findPairingFaults(scenario.messages(place)));
}

describe('a journal that ends anywhere', () => {
  it.each([0, 0.12, 0.25, 0.37, 0.5, 0.62, 0.75, 0.87, 0.97])(
    'at %d of its length is gone on with by requests that a strict provider accepts',
    async (share) => {
      const { scenario, events } = await record();
      await using _scenario = scenario;
      const before = scenario.server.requests.length;
      cutAfter(scenario, 1 + Math.floor(share * (events.length - 1)));
      const engine = scenario.openEngine();
      const handle = await engine.resumeRun(runOf(events), { approve: 'all' });
      const { outcome } = await handle.result;
      expect(['met', 'stalled', 'notMet']).toContain(outcome.kind);
      expect(findFaults(scenario, before)).toEqual([]);
      expect((await engine.replayRun(runOf(events))).divergence).toBeNull();
    },
  );
});

describe('a result that was lost from the store (anthropics/claude-code#39316)', () => {
  it('is told as interrupted by a resume and by a fork, and stands in the way of neither', async () => {
    const { scenario, events } = await record();
    await using _scenario = scenario;
    scenario.exemptFromReplay();
    const results = events.flatMap((event) => (event.type === 'call-finish' ? [event] : []));
    const lost = results[3];
    const cut = events.findLast(({ type }) => type === 'step-finish');
    if (lost === undefined || cut === undefined) throw new Error('The story is shorter than was thought');
    cutAfter(scenario, cut.seq);
    edit(scenario, (database) => {
      const { changes } = database.prepare('delete from blob where hash = ?').run(Buffer.from(lost.result.hash, 'hex'));
      expect(changes).toBe(1);
    });
    const engine = scenario.openEngine();
    const runId = runOf(events);
    const before = scenario.server.requests.length;
    const place = { kind: 'copy', directory: join(dirname(scenario.workspace), 'fork') } as const;
    const forked = await engine.forkRun(runId, { step: 2, place });
    for (const id of [runId, forked.runId]) {
      const handle = await engine.resumeRun(id, { approve: 'all' });
      expect((await handle.result).outcome.kind).toBe('met');
    }
    expect(findFaults(scenario, before)).toEqual([]);
    expect(JSON.stringify(scenario.messages(before))).toContain('Interrupted: what came of this call was lost');
    expect((await engine.replayRun(runId)).divergence).toMatchObject({ step: lost.step, what: 'content' });
  });

  it('stands in the way neither of a rewind nor of making room in a full window', async () => {
    const pages = Array.from({ length: 8 }, (_page, place) => `page-${place}.txt`);
    const reads: Script = ({ position }) => {
      const path = pages[position];
      return path === undefined ? { text: 'Done.' } : { calls: [call('read_file', { path })] };
    };
    const long = Object.fromEntries(pages.map((path) => [path, `${path}\n${'some words '.repeat(600)}\n`]));
    await using scenario = await openScenario(reads, { files: long });
    scenario.exemptFromReplay();
    const { events, result } = await scenario.run({ budgets: { steps: 30 } });
    await scenario.engine.close();
    const lost = events.filter((event) => event.type === 'call-finish')[3];
    edit(scenario, (database) => {
      for (const hash of [lost?.result.hash ?? '', lost?.shown?.hash ?? '']) {
        database.prepare('delete from blob where hash = ?').run(Buffer.from(hash, 'hex'));
      }
    });
    const engine = scenario.openEngine();
    const before = scenario.server.requests.length;
    const aim = { kind: 'step', step: 4 } as const;
    await engine.rewindRun(result.runId, { actor: 'person:ada', aim, mode: 'carry-out', foreign: 'leave' });
    const handle = await engine.resumeRun(result.runId, { contextTokens: 12_000 });
    expect((await handle.result).outcome.kind).toBe('finished');
    const types = (await engine.readEvents(result.runId)).map(({ type }) => type);
    expect([types.includes('run-rewind'), types.includes('context-compact')]).toEqual([true, true]);
    expect(JSON.stringify(scenario.messages(before))).toContain('Interrupted: what came of this call was lost');
    expect(findFaults(scenario, before)).toEqual([]);
  });
});

describe('a run that is killed with kill -9 between a call and its result', () => {
  it('and again some turns later goes on, and each of its requests pairs the two (github/copilot-cli#3183)', async () => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    const fetches = call('fetch_url', { url: `http://127.0.0.1:${page.port}/` });
    const turns: Script = [
      { calls: [fetches, read] },
      { calls: [call('write_file', { path: 'b.txt', content: 'b\n' })] },
      { calls: [read, fetches] },
      { calls: [read] },
      { text: 'Done.' },
    ];
    await using scenario = await openScenario(turns, { files });
    const rules = [{ act: 'net', effect: 'allow', pattern: '127.0.0.1' }];
    const policy = JSON.stringify({ layers: [{ name: 'own', rules }] });
    writeFileSync(join(scenario.home, 'policy.jsonc'), policy, { mode: 0o600 });
    const cli = (args: readonly string[], crashPoint: string) =>
      runCli([...args, '--approve', 'all', '--json', '--home', scenario.home], {
        environment: { ...scenario.environment, IO_STUDIO_CRASH_POINT: crashPoint },
        input: JSON.stringify(scenario.contract()),
      });
    const first = await cli(['run', '--contract', '-'], 'before-act:1');
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('The run is not in the journal');
    const second = await cli(['resume', run.runId], 'before-act:4');
    const third = await cli(['resume', run.runId], 'before-act:99');
    expect([first.signal, second.signal, third.exitCode]).toEqual(['SIGKILL', 'SIGKILL', 0]);
    expect([scenario.server.requests.map(({ position }) => position), page.requests.length]).toEqual([
      [0, 1, 2, 3, 4],
      0,
    ]);
    expect(findFaults(scenario, 0)).toEqual([]);
    const results = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(results.filter(({ content }) => String(content).includes('cannot be told')).length).toBe(2);
  });
});

describe('the requests of a run', () => {
  it('are the same bytes when the same is done again elsewhere, and hold no clock, temporary path or id', async () => {
    const bodies: string[][] = [];
    for (const _time of [1, 2]) {
      await using scenario = await open();
      const { result } = await scenario.run(contract, { approve: 'all' });
      expect(result.outcome.kind).toBe('met');
      const texts = scenario.server.requests.map(({ body }) => JSON.stringify(body));
      const places = [scenario.workspace, scenario.home, dirname(scenario.workspace)];
      const now = new Date();
      for (const text of texts) {
        for (const place of places) expect(text).not.toContain(place);
        expect(text).not.toContain(result.runId);
        expect(text).not.toMatch(/run-[0-9a-z]{22}/);
        expect(text).not.toContain(now.toISOString().slice(0, 10));
        expect(text).not.toMatch(new RegExp(String(now.getTime()).slice(0, 7)));
      }
      bodies.push(texts);
    }
    expect(bodies[1]).toEqual(bodies[0]);
  });
});
