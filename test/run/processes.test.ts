// Processes in a whole run: they are ended with its driver, and the next one says that they are gone. What they did to the
// workspace is part of the run.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMarked } from '../sandbox/hostile/find-marked.ts';
import { findSandbox } from '../sandbox/hostile/find-sandbox.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const isEnclosed = typeof (await findSandbox('bwrap')) !== 'string';

const allowing = { layers: [{ name: 'test', rules: [{ act: 'exec', effect: 'allow', pattern: 'sleep' }] }] };

const start: ScriptedCall = { tool: 'process_start', arguments: { argv: ['sleep', '5432.1'] } };

async function open(...calls: ((scenario: () => Scenario) => ScriptedCall)[]): Promise<Scenario> {
  const scenario = await openScenario(({ position }) => {
    const call = calls[position];
    return call === undefined ? { text: 'Done.' } : { calls: [call(() => scenario)] };
  });
  scenario.write('../policy.jsonc', JSON.stringify(allowing));
  return scenario;
}

const settings = ({ workspace }: Scenario) => ({ policyFile: `${workspace}/../policy.jsonc` });
const lastResult = (scenario: Scenario): string => String(scenario.messages(-1).at(-1)?.content);

describe.skipIf(!isEnclosed)('a process of a run', () => {
  it('runs on from step to step, and no longer than the run (anthropics/claude-code#35986)', async () => {
    const seen: number[] = [];
    const look = (): ScriptedCall => {
      seen.push(findMarked('5432.1').length);
      return { tool: 'process_list', arguments: {} };
    };
    await using scenario = await open(() => start, look, look);
    const { result } = await scenario.run({}, settings(scenario));
    expect([result.outcome.kind, seen.every((count) => count > 0), findMarked('5432.1')]).toEqual([
      'finished',
      true,
      [],
    ]);
    expect(lastResult(scenario)).toMatch(/^p1-[0-9a-f]+ runs\. 0 bytes written\. sleep 5432\.1$/m);
  });

  it('ends with the driver that has started it, and the next one touches nothing by its number', async () => {
    const write: ScriptedCall = { tool: 'write_file', arguments: { path: 'a.txt', content: 'a' } };
    let process = '';
    await using scenario = await open(
      () => start,
      (opened) => {
        process = /p1-[0-9a-f]+/.exec(lastResult(opened()))?.[0] ?? '';
        return write;
      },
      () => ({ tool: 'process_signal', arguments: { process, signal: 'SIGTERM' } }),
    );
    const { result } = await scenario.run({}, settings(scenario));
    expect([result.outcome.kind, findMarked('5432.1')]).toEqual(['awaitingApproval', []]);
    const [asked] = await scenario.engine.listApprovals();
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const resumed = await scenario.resume(result.runId);
    expect([resumed.result.outcome.kind, lastResult(scenario)]).toEqual([
      'finished',
      `There is no process "${process}". A process ends with the engine that has started it: after a restart it is gone, ` +
        'and what it had changed in the workspace since it began, nobody has looked through.',
    ]);
  });

  it('is written to only when a person has seen what, where writing asks', async () => {
    let process = '';
    await using scenario = await open(
      () => ({ tool: 'process_start', arguments: { argv: ['sleep', '5432.1'] } }),
      (opened) => {
        process = /p1-[0-9a-f]+/.exec(lastResult(opened()))?.[0] ?? '';
        return { tool: 'process_write', arguments: { process, text: 'rm -rf .\n' } };
      },
    );
    const { result } = await scenario.run({}, settings(scenario));
    const [asked] = await scenario.engine.listApprovals();
    expect([result.outcome.kind, asked?.target, asked?.details.content]).toEqual([
      'awaitingApproval',
      `${process} "rm -rf .\\n"`,
      { kind: 'command', text: 'rm -rf .\n' },
    ]);
  });

  it('has what it left in the workspace journaled before the run ends, as changes of the run', async () => {
    await using scenario = await open(
      () => ({ tool: 'process_start', arguments: { argv: ['./work'] } }),
      (opened) => {
        const process = /p1-[0-9a-f]+/.exec(lastResult(opened()))?.[0] ?? '';
        return { tool: 'process_read', arguments: { process, cursor: 0, waitSeconds: 60 } };
      },
    );
    scenario.write('work', '#!/bin/sh\necho new > made.txt\necho x > .env\necho written\nexec sleep 5432.1\n');
    chmodSync(join(scenario.workspace, 'work'), 0o755);
    const rules = [
      { act: 'exec', effect: 'allow', pattern: './work' },
      { act: 'write', effect: 'allow', pattern: '*' },
    ];
    scenario.write('../policy.jsonc', JSON.stringify({ layers: [{ name: 'test', rules }] }));
    const { result, events } = await scenario.run({}, { ...settings(scenario), approve: 'all' });
    expect(result.outcome.kind).toBe('finished');
    expect(events.findLast(({ type }) => type === 'call-start' || type === 'process-exit')).toMatchObject({
      type: 'process-exit',
      end: 'cancelled',
      access: 'write',
      policyEnforcement: { masked: 0, checkedAfter: 1, uncovered: [] },
      changes: [
        { path: '.env', change: 'created', became: 'aside', because: expect.stringContaining('layer "secrets"') },
        { path: 'made.txt', change: 'created', became: 'kept' },
      ],
      untold: 0,
      shelf: expect.stringContaining(`${scenario.home}/set-aside/p1-`),
    });
    expect(events.find(({ type }) => type === 'call-start')).toMatchObject({ class: 'indeterminate' });
    expect((await scenario.engine.readRun(result.runId)).changed).toEqual(['made.txt']);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['process-exit', 'run-finish']);
  });

  it('is given what asks to write to only where every question is answered in advance', async () => {
    for (const [approve, access, recovery] of [
      ['defer', 'read', 'repeat'],
      ['all', 'write', 'indeterminate'],
    ] as const) {
      await using scenario = await open(() => start);
      const { events } = await scenario.run({}, { ...settings(scenario), approve });
      expect(events.find(({ type }) => type === 'process-exit')).toMatchObject({ access });
      expect(events.find(({ type }) => type === 'call-start')).toMatchObject({ class: recovery });
    }
  });
});
