// A rewind whose process is killed is finished by the next command that is about the run, whichever that is: no file is left
// half way, and nothing is put back twice.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/engine/index.ts';
import { describeEntries } from '../support/describe-entries.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { runCli, startCli } from '../support/run-cli.ts';

const made = Array.from({ length: 40 }, (_each, place) => `many/${place}.txt`);
const files = {
  'log.txt': 'begin\n',
  'tool.sh': '#!/bin/sh\n',
  ...Object.fromEntries(made.map((path) => [path, path])),
};
const work =
  'rm many/1*.txt; for f in many/*.txt; do echo changed >> $f; done; echo more >> log.txt; mkdir new; echo n > new/n';

interface Opened {
  readonly scenario: Scenario;
  readonly runId: RunId;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
}

async function open(): Promise<Opened> {
  const call = { tool: 'shell', arguments: { command: work } };
  const scenario = await openScenario(({ position }) => (position === 0 ? { calls: [call] } : { text: 'Done.' }), {
    files,
  });
  const before = describeEntries(scenario.workspace);
  const { result } = await scenario.run({}, { approve: 'all' });
  const after = describeEntries(scenario.workspace);
  expect(after).not.toEqual(before);
  return { scenario, runId: result.runId, before, after };
}

const toArguments = ({ scenario, runId }: Opened, ...more: string[]) => [
  'rewind',
  runId,
  '--json',
  '--home',
  scenario.home,
  ...more,
];

/** Rewinds in a process that dies at the named place of the journal; false when it came to its end before. */
async function rewindUntil(opened: Opened, crashPoint: string): Promise<boolean> {
  const environment = { ...opened.scenario.environment, IO_STUDIO_CRASH_POINT: crashPoint };
  const end = await runCli(toArguments(opened), { environment });
  return end.signal === 'SIGKILL';
}

const typesOf = async ({ scenario, runId }: Opened): Promise<string[]> =>
  (await scenario.engine.readEvents(runId)).map(({ type }) => type).filter((type) => type.includes('rewind'));

/** As soon as it has begun with the files. One that was quicker than its end is taken back, and tried again. */
async function killBetweenFiles(opened: Opened): Promise<void> {
  const { environment, workspace } = opened.scenario;
  for (let attempt = 0; attempt < 10; attempt++) {
    const watcher = watch(join(workspace, 'many'));
    const rewinding = startCli(toArguments(opened), { environment });
    watcher.once('change', () => rewinding.kill('SIGKILL'));
    await rewinding.end;
    watcher.close();
    if ((await typesOf(opened)).at(-1) === 'rewind-start') return;
    await runCli(toArguments(opened, '--undo'), { environment });
  }
  throw new Error('Every rewind came to its end before it could be killed');
}

describe('a rewind that is killed', () => {
  it('right before or right after any of its commits is finished by the next rewind, and can be undone', async () => {
    const opened = await open();
    await using scenario = opened.scenario;
    const seen: string[] = [];
    for (const where of ['before-commit', 'after-commit']) {
      for (let nth = 1; nth < 20; nth++) {
        const known = (await typesOf(opened)).length;
        if (!(await rewindUntil(opened, `${where}:${nth}`))) {
          await runCli(toArguments(opened, '--undo'), { environment: scenario.environment });
          break;
        }
        const begun = (await typesOf(opened)).slice(known).join(' ');
        seen.push(`${where}: ${begun}`);
        if (begun !== '') {
          const end = await runCli(toArguments(opened, '--undo'), { environment: scenario.environment });
          expect(end.exitCode, end.stderr).toBe(0);
          const types = ['rewind-start', 'run-rewind', 'rewind-start', 'run-rewind'];
          expect((await typesOf(opened)).slice(known)).toEqual(types);
        }
        expect(describeEntries(scenario.workspace), `${where} ${nth}`).toEqual(opened.after);
      }
    }
    expect(seen).toContain('after-commit: rewind-start');
    expect(seen).toContain('before-commit: rewind-start');
    expect(seen).toContain('after-commit: rewind-start run-rewind');
  }, 300_000);

  it('between two files is finished before the run goes on, and until then neither pruned nor copied', async () => {
    const opened = await open();
    await using scenario = opened.scenario;
    await killBetweenFiles(opened);
    const { store } = scenario.engine;
    const { signal } = new AbortController();
    const kept = { removed: [], kept: [{ runId: opened.runId, why: 'it is not over and can still be resumed' }] };
    for (const isDryRun of [true, false]) {
      expect(await store.prune({ before: null, toBytes: null, isDryRun }, signal)).toMatchObject(kept);
    }
    const archived = await runCli([
      'store',
      'archive',
      opened.runId,
      join(scenario.home, 'out'),
      '--home',
      scenario.home,
    ]);
    expect([archived.exitCode, archived.stderr]).toEqual([2, expect.stringContaining('can still be resumed')]);
    const place = { kind: 'copy', directory: join(scenario.home, 'fork') } as const;
    await expect(scenario.engine.forkRun(opened.runId, { place })).rejects.toMatchObject({
      message: expect.stringContaining('was cut off'),
    });
    const known = await typesOf(opened);
    expect(describeEntries(scenario.workspace)).not.toEqual(opened.before);
    const { runId } = opened;
    await expect(scenario.engine.readRun(runId)).resolves.toMatchObject({ rewinding: { actor: expect.any(String) } });
    const again = await scenario.resume(runId);
    expect(again.events.map(({ type }) => type)).toContain('run-resume');
    expect(await typesOf(opened)).toEqual([...known, 'run-rewind']);
    // It has done its work once more, from the beginning.
    expect(again.result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(describeEntries(scenario.workspace)).toEqual(opened.after);
  });
});
