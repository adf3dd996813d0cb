// What a run is gone on with while questions of it wait: the policy it was begun under, the key of the home, another posture.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Posture } from '../../src/shared/event.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const write = (path: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content: 'new' } });

const open = (...replies: ScriptedCall[][]): Promise<Scenario> =>
  openScenario(({ position }) => {
    const calls = replies[position];
    return calls === undefined ? { text: 'Done.' } : { calls };
  });

const answer = async ({ engine }: Scenario, place: number, decision: 'approve' | 'deny', remember = false) => {
  const { request = '' } = (await engine.listApprovals())[place] ?? {};
  const kept = remember ? { remember: { scope: 'run' } as const } : {};
  return engine.decide({ request, decision, actor: 'person:test', ...kept });
};

const outcomes = (scenario: Scenario, paths: readonly string[]) =>
  paths.map((path) => {
    try {
      return scenario.read(path);
    } catch {
      return null;
    }
  });

describe('a resumed run', () => {
  it.each([
    ['is malformed by now', '{ "layers": '],
    ['allows something by now', '{"layers":[{"name":"x","rules":[{"act":"exec","effect":"allow","pattern":"*"}]}]}'],
  ])('goes by what the repository said at its start, also where its file %s', async (_title, text) => {
    await using scenario = await open([write('a.txt')]);
    const { result } = await scenario.run();
    mkdirSync(join(scenario.workspace, '.io-studio'));
    scenario.write('.io-studio/policy.jsonc', text);
    await answer(scenario, 0, 'approve');
    const { result: resumed, events } = await scenario.resume(result.runId);
    expect([resumed.outcome.kind, scenario.read('a.txt')]).toEqual(['finished', 'new']);
    expect(events.filter(({ type }) => type === 'policy-notice')).toMatchObject([{ file: '.io-studio/policy.jsonc' }]);
  });

  it('goes by a rule of the person that came while it was paused', async () => {
    await using scenario = await open([write('a.txt')]);
    const { result } = await scenario.run();
    await answer(scenario, 0, 'approve');
    const rules = [{ act: 'write', effect: 'deny', pattern: 'a.txt' }];
    scenario.write('../home/policy.jsonc', JSON.stringify({ layers: [{ name: 'own', rules }] }));
    chmodSync(join(scenario.home, 'policy.jsonc'), 0o600);
    const { result: resumed } = await scenario.resume(result.runId);
    expect([resumed.denied.length, outcomes(scenario, ['a.txt'])]).toEqual([1, [null]]);
  });

  it('can be taken up again in the same process after the key of the home could not be trusted', async () => {
    await using scenario = await open([write('a.txt')], [write('b.txt')]);
    const { result } = await scenario.run();
    await answer(scenario, 0, 'approve', true);
    chmodSync(join(scenario.home, 'decision-key'), 0o644);
    await expect(scenario.resume(result.runId)).rejects.toMatchObject({ code: 'decision-refused' });
    chmodSync(join(scenario.home, 'decision-key'), 0o600);
    const { result: resumed } = await scenario.resume(result.runId);
    expect([resumed.outcome.kind, scenario.read('a.txt')]).toEqual(['awaitingApproval', 'new']);
  });

  it.each<[Posture, string, (string | null)[]]>([
    ['deny', 'finished', ['new', null]],
    ['all', 'finished', ['new', 'new']],
    ['defer', 'awaitingApproval', ['new', null]],
  ])('keeps an answer that was given before it was gone on with under %s', async (approve, kind, files) => {
    await using scenario = await open([write('a.txt'), write('b.txt')]);
    const { result } = await scenario.run();
    await answer(scenario, 0, 'approve');
    const { result: resumed } = await scenario.resume(result.runId, { approve });
    expect([resumed.outcome.kind, outcomes(scenario, ['a.txt', 'b.txt'])]).toEqual([kind, files]);
  });
});

describe('a run that is over', () => {
  it('has no open questions, and none of them can be answered', async () => {
    await using scenario = await open([write('a.txt')]);
    const { result } = await scenario.run();
    const [asked] = await scenario.engine.listApprovals(result.runId);
    await scenario.engine.cancelRun(result.runId, 'person:test');
    await scenario.resume(result.runId);
    expect(await scenario.engine.listApprovals(result.runId)).toEqual([]);
    const deciding = scenario.engine.decide({
      request: asked?.request ?? '',
      decision: 'approve',
      actor: 'person:test',
    });
    await expect(deciding).rejects.toMatchObject({ code: 'approval-changed' });
  });
});

describe('a simulation under the policy that a run had', () => {
  it('finds no difference, whatever was remembered on the way', async () => {
    await using scenario = await open([write('a.txt')], [write('a.txt')]);
    const { result } = await scenario.run();
    await answer(scenario, 0, 'approve', true);
    await scenario.resume(result.runId);
    scenario.write('same.jsonc', '{}');
    const { differences } = await scenario.engine.simulate(result.runId, join(scenario.workspace, 'same.jsonc'));
    expect(differences).toEqual([]);
  });
});
