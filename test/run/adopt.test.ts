// A run that is carried from one machine to another: read there, taken over, gone on with; and none of what was allowed at
// home is allowed abroad.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/engine/index.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import type { Script, ScriptedCall } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const write = (path: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content: 'new' } });

const replies: readonly (readonly ScriptedCall[])[] = [[read('log.txt')], [write('a.txt')], [write('log.txt')]];
const script: Script = ({ position }) => {
  const calls = replies[position];
  return calls === undefined ? { text: 'Done.' } : { calls };
};
const files = { 'log.txt': 'begin\nEND\n' };
const contract: ScenarioContract = { goal: 'Write it all.', protect: ['kept.txt'] };
const signal = new AbortController().signal;

/** Carries a run to the other home, in a file that is gone with the test. */
async function carry(from: Scenario, to: Scenario, runId: RunId): Promise<void> {
  using place = createTemporaryDirectory();
  const file = join(place.path, 'run.ioexport');
  await from.engine.store.exportRun(runId, file, null);
  await to.engine.store.importRun(file, null, signal);
}

const adopt = ({ engine, workspace }: Scenario, runId: RunId) =>
  engine.store.adoptRun({ runId, workspace, actor: 'person:abroad' });

describe('an imported run', () => {
  it('can be read and not driven, asks nobody anything, and says how it can be taken over', async () => {
    await using home = await openScenario(script, { files });
    await using abroad = await openScenario(script, { files });
    const { result } = await home.run(contract);
    const { runId } = result;
    expect([result.outcome.kind, (await home.engine.listApprovals()).length]).toEqual(['awaitingApproval', 1]);
    await carry(home, abroad, runId);
    expect(await abroad.engine.readEvents(runId, 0, 3)).toEqual(await home.engine.readEvents(runId, 0, 3));
    expect(await abroad.engine.listApprovals()).toEqual([]);
    const refused = { code: 'run-imported', remedy: expect.stringContaining(`store adopt ${runId}`) };
    await expect(abroad.resume(runId)).rejects.toMatchObject(refused);
    const aim = { kind: 'step', step: 0 } as const;
    const rewind = { actor: 'person:abroad', aim, mode: 'carry-out', foreign: 'leave' } as const;
    await expect(abroad.engine.rewindRun(runId, rewind)).rejects.toMatchObject(refused);
    await expect(abroad.engine.steerAgent(runId, null, 'Hello.', 'person:abroad')).rejects.toMatchObject(refused);
    await expect(abroad.engine.cancelRun(runId, 'person:abroad')).rejects.toMatchObject(refused);
    expect(abroad.server.requests).toEqual([]);
  });

  it('goes on once it is adopted: an answer given at home does not count, and a file that is another here has to be read again', async () => {
    await using home = await openScenario(script, { files });
    await using abroad = await openScenario(script, { files: { 'log.txt': 'another\n' } });
    const { result } = await home.run(contract);
    const { runId } = result;
    const [asked] = await home.engine.listApprovals();
    const remember = { scope: 'run', pattern: 'a.txt' } as const;
    await home.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:home', remember });
    await carry(home, abroad, runId);
    expect(await adopt(abroad, runId)).toEqual({
      runId,
      workspace: abroad.workspace,
      goal: 'Write it all.',
      check: expect.stringContaining('Nothing is checked'),
      unknownCalls: 0,
    });
    await expect(adopt(abroad, runId)).rejects.toMatchObject({ code: 'usage' });
    const waiting = await abroad.resume(runId);
    expect(waiting.result.outcome.kind).toBe('awaitingApproval');
    expect(readdirSync(abroad.workspace)).toEqual(['log.txt']);
    const { result: ended, events } = await abroad.resume(runId, { approve: 'all' });
    expect(ended.outcome.kind).toBe('finished');
    expect(events.filter(({ type }) => type === 'call-finish')).toMatchObject([
      { tool: 'write_file', status: 'ok' },
      { tool: 'write_file', target: 'log.txt', status: 'failed' },
    ]);
    expect([abroad.read('a.txt'), abroad.read('log.txt')]).toEqual(['new', 'another\n']);
    const state = await abroad.engine.readRun(runId);
    expect(state.agents).toMatchObject({ root: { label: { untrusted: { target: 'log.txt' } } } });
  });

  it('keeps to what its contract protects', async () => {
    const writes: Script = ({ position }) =>
      position < 2 ? { calls: [write(position === 0 ? 'a.txt' : 'kept.txt')] } : { text: 'Done.' };
    await using home = await openScenario(writes, { files });
    await using abroad = await openScenario(writes, { files });
    const { runId } = (await home.run(contract)).result;
    await carry(home, abroad, runId);
    await adopt(abroad, runId);
    const { result } = await abroad.resume(runId, { approve: 'all' });
    expect(result.denied).toMatchObject([{ tool: 'write_file', target: 'kept.txt' }]);
  });

  it('whose contract held a secret that stayed at home is replayed, as no request ever held it', async () => {
    const secret = `sk-proj-${'Ab12Cd34'.repeat(5)}`;
    const goal = `Call it with api_key = "${secret}".\nWrite it down.`;
    const script: Script = ({ position }) => (position === 0 ? { calls: [write('a.txt')] } : { text: 'Done.' });
    await using home = await openScenario(script, { files });
    await using abroad = await openScenario(script, { files });
    const { runId } = (
      await home.run({ goal, verification: { kind: 'fileContains', file: 'a.txt', text: 'new' } }, { approve: 'all' })
    ).result;
    await carry(home, abroad, runId);
    const [here, there] = [await home.engine.replayRun(runId), await abroad.engine.replayRun(runId)];
    expect([here, there]).toMatchObject([
      { divergence: null, sealed: 0 },
      { divergence: null, requests: here.requests, verdicts: here.verdicts, calls: here.calls },
    ]);
    expect(there.sealed).toBeGreaterThan(0);
    expect(await runCli(['replay', runId, '--home', abroad.home])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('whose secrets stayed at home is replayed as far as can be told, and rewound over what it did there', async () => {
    const shell: ScriptedCall = { tool: 'shell', arguments: { command: 'sed -i s/slow/fast/ settings.txt' } };
    const change: Script = ({ position }) => (position === 0 ? { calls: [shell] } : { text: 'Done.' });
    const settings = { 'settings.txt': `slow\napi_key = "sk-proj-${'Ab12Cd34'.repeat(5)}"\n` };
    await using home = await openScenario(change, { files: settings });
    await using abroad = await openScenario(change, { files: settings });
    const { runId } = (await home.run(contract, { approve: 'all' })).result;
    await carry(home, abroad, runId);
    expect(home.read('settings.txt')).toMatch(/^fast/);
    const imported = await abroad.engine.replayRun(runId);
    expect(imported).toMatchObject({ divergence: null, requests: 2, calls: 1 });
    expect(imported.sealed).toBeGreaterThan(0);
    await adopt(abroad, runId);
    const aim = { kind: 'step', step: 0 } as const;
    const rewind = { actor: 'person:abroad', aim, mode: 'carry-out', foreign: 'leave' } as const;
    expect(await abroad.engine.rewindRun(runId, rewind)).toMatchObject({ isDone: true, files: [] });
    expect(abroad.read('settings.txt')).toMatch(/^slow/);
    expect(await abroad.engine.replayRun(runId)).toMatchObject({ divergence: null });
  });

  it('is not adopted for a workspace that cannot be used, or that holds the home', async () => {
    await using home = await openScenario(script, { files });
    await using abroad = await openScenario(script, { files });
    const { runId } = (await home.run(contract)).result;
    await carry(home, abroad, runId);
    const inPlace = (workspace: string) => abroad.engine.store.adoptRun({ runId, workspace, actor: 'person:abroad' });
    await expect(inPlace(join(abroad.workspace, 'none'))).rejects.toMatchObject({ code: 'workspace-unusable' });
    await expect(inPlace(abroad.home)).rejects.toMatchObject({ code: 'home-overlaps-workspace' });
    await expect(abroad.resume(runId)).rejects.toMatchObject({ code: 'run-imported' });
  });
});

describe('a run in a workspace like a whole home directory', () => {
  it('stores what it touched and nothing of the rest, and leaves no temporary file (anomalyco/opencode#9290)', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`.cache/${n % 6}/blob-${n}.bin`, Buffer.alloc(500_000, `${n} `)]),
    );
    await using scenario = await openScenario(
      ({ position }) => (position === 0 ? { calls: [read('log.txt'), write('a.txt')] } : { text: 'Done.' }),
      { files: { ...files, ...large } },
    );
    const { result } = await scenario.run(contract, { approve: 'all' });
    expect(result.outcome.kind).toBe('finished');
    const { fileBytes, logBytes, blobs } = await scenario.engine.store.stats();
    expect(fileBytes + logBytes).toBeLessThan(2_000_000);
    expect(blobs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(50_000);
    const left = readdirSync(scenario.home).filter((name) => /\.(new|import|tmp)$/.test(name));
    expect(left).toEqual([]);
  });
});
