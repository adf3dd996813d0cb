// A contract may want to see a plan first: until a person has approved one, nothing is written, run or remembered.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const write: ScriptedCall = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };
const propose = (plan: string): ScriptedCall => ({ tool: 'propose_plan', arguments: { plan } });

const open = (...replies: ScriptedCall[]): Promise<Scenario> =>
  openScenario(({ position }) => {
    const call = replies[position];
    return call === undefined ? { text: 'Done.' } : { calls: [call] };
  });

const openRequest = async (scenario: Scenario) => {
  const [asked] = await scenario.engine.listApprovals();
  if (asked === undefined) throw new Error('Nothing was asked');
  return asked;
};

describe('a contract that asks for a plan', () => {
  it('lets nothing be written before it is approved, and tells the model what would change that', async () => {
    await using scenario = await open(write, propose('Write a.txt.'));
    const { result } = await scenario.run({ plan: true }, { approve: 'defer' });
    expect(result).toMatchObject({ exitCode: 3, outcome: { kind: 'awaitingPlan' } });
    expect(result.denied).toMatchObject([
      { target: 'a.txt', because: expect.stringMatching(/layer "plan".*propose a plan/) },
    ]);
    expect(existsSync(join(scenario.workspace, 'a.txt'))).toBe(false);
  });

  it('is corrected with a reason, approved once, and then goes by the other rules', async () => {
    await using scenario = await open(propose('Rewrite everything.'), propose('Write a.txt.'), write);
    const { result } = await scenario.run({ plan: true });
    const first = await openRequest(scenario);
    expect([first.act, first.details.content]).toEqual(['plan', { kind: 'plan', text: 'Rewrite everything.' }]);
    const answer = { actor: 'person:test', request: first.request };
    await scenario.engine.decide({ ...answer, decision: 'deny', reason: 'one file is enough' });
    const second = await scenario.resume(result.runId);
    expect(second.result.outcome.kind).toBe('awaitingPlan');
    expect(JSON.stringify(scenario.messages(-1))).toContain('one file is enough');
    const { request } = await openRequest(scenario);
    await scenario.engine.decide({ actor: 'person:test', request, decision: 'approve' });
    const third = await scenario.resume(result.runId);
    expect(third.result.outcome.kind).toBe('awaitingApproval');
    expect((await openRequest(scenario)).target).toBe('a.txt');
  });

  it('can be cancelled, which ends the run', async () => {
    await using scenario = await open(propose('Write a.txt.'));
    const { result } = await scenario.run({ plan: true });
    await scenario.engine.cancelRun(result.runId, 'person:test');
    const { result: ended } = await scenario.resume(result.runId);
    expect(ended.outcome).toEqual({ kind: 'cancelled', by: 'person:test' });
  });

  it('has its gate open after a restart only when it was approved before', async () => {
    await using scenario = await open(propose('Write a.txt.'), write);
    const { result } = await scenario.run({ plan: true }, { approve: 'all' });
    expect([result.outcome.kind, scenario.read('a.txt')]).toEqual(['finished', 'new']);
    expect((await scenario.engine.readRun(result.runId)).plan).toBe('approved');
  });
});

describe('a contract that asks for none', () => {
  it('gives the model no tool to propose one', async () => {
    await using scenario = await open(propose('Write a.txt.'));
    await scenario.run();
    const tools = JSON.stringify(scenario.server.requests[0]?.body?.tools);
    expect([tools.includes('write_file'), tools.includes('propose_plan')]).toEqual([true, false]);
  });
});
