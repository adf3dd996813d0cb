// What a command leaves in the workspace is a change that has yet to be made: judged path by path, asked about where policy
// asks, made through the guard, and told.
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { openScenario, type RunRecord, type Scenario } from '../support/open-scenario.ts';
import type { Script } from '../support/scripted-model-script.ts';

const rules = {
  layers: [
    {
      name: 'test',
      rules: [
        { act: 'exec', effect: 'allow', pattern: '*' },
        { act: 'write', effect: 'allow', pattern: 'free/*' },
        { act: 'write', effect: 'deny', pattern: 'shut/*' },
        { act: 'read', effect: 'deny', pattern: 'private.txt' },
      ],
    },
  ],
};

const files = {
  'policy.jsonc': JSON.stringify(rules),
  'free/old.txt': 'old\n',
  'free/tool.sh': '#!/bin/sh\n',
  'shut/kept.txt': 'kept\n',
  'asked.txt': 'before\n',
  'private.txt': 'nobody reads this\n',
};

/** The line itself names nothing that it will write: a program of the workspace does. */
async function open(work: string): Promise<Scenario> {
  const call = { tool: 'shell', arguments: { command: './work' } };
  const script: Script = ({ position }) => (position === 0 ? { calls: [call] } : { text: 'Done.' });
  const scenario = await openScenario(script, { files: { ...files, work: `#!/bin/sh\n${work}\n` } });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  return scenario;
}

const settings = ({ workspace }: Scenario) => ({ policyFile: join(workspace, 'policy.jsonc') });

function toldOf(scenario: Scenario): string {
  const told = scenario.messages(-1).findLast(({ role }) => role === 'tool');
  return String(told?.content);
}

const typesOf = ({ events }: RunRecord): JournalEvent['type'][] =>
  events.map(({ type }) => type).filter((type) => ['call-start', 'call-stage', 'call-finish'].includes(type));

describe('a command that writes', () => {
  it('has its changes made where they are allowed, and told one by one', async () => {
    await using scenario = await open(
      'echo new > free/new.txt; rm free/old.txt; chmod +x free/tool.sh; mkdir free/d; ln -s new.txt free/link; echo said',
    );
    chmodSync(join(scenario.workspace, 'free/tool.sh'), 0o644);
    const record = await scenario.run({}, settings(scenario));
    expect(record.result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(typesOf(record)).toEqual(['call-start', 'call-stage', 'call-start', 'call-finish']);
    expect({
      new: scenario.read('free/new.txt'),
      link: scenario.read('free/link'),
      old: existsSync(join(scenario.workspace, 'free/old.txt')),
      mode: statSync(join(scenario.workspace, 'free/tool.sh')).mode & 0o777,
      directory: statSync(join(scenario.workspace, 'free/d')).isDirectory(),
    }).toEqual({ new: 'new\n', link: 'new\n', old: false, mode: 0o755, directory: true });
    const told = toldOf(scenario);
    expect(told).toContain('stdout:\nsaid');
    for (const line of ['created free/new.txt', 'removed free/old.txt', 'changed free/tool.sh', 'created free/link']) {
      expect(told).toContain(line);
    }
  });

  it('changes nothing that a rule denies, and is told what was dropped', async () => {
    await using scenario = await open('echo x > shut/kept.txt; echo y > free/y.txt');
    const record = await scenario.run({}, settings(scenario));
    expect([scenario.read('shut/kept.txt'), scenario.read('free/y.txt')]).toEqual(['kept\n', 'y\n']);
    expect(toldOf(scenario)).toMatch(/Not taken over into the workspace:\n- shut\/kept\.txt: .*"shut\/\*"/);
    expect(record.events).toContainEqual(
      expect.objectContaining({ type: 'act-judged', effect: 'deny', target: 'shut/kept.txt', dropped: true }),
    );
  });

  it('finds nothing where it may not read', async () => {
    await using scenario = await open('ls; find . -name "private*"; (. ./private.txt) 2>&1 | head -1');
    await scenario.run({}, { ...settings(scenario), approve: 'all' });
    expect(toldOf(scenario)).not.toContain('nobody reads this');
    expect(toldOf(scenario)).toContain('free');
  });

  it('waits for an answer about what is asked for, shown as a difference, and goes on from there', async () => {
    await using scenario = await open('echo after > asked.txt; echo z > free/z.txt; date +%N');
    const { result } = await scenario.run({}, settings(scenario));
    expect(result.outcome.kind).toBe('awaitingApproval');
    expect([scenario.read('asked.txt'), existsSync(join(scenario.workspace, 'free/z.txt'))]).toEqual([
      'before\n',
      false,
    ]);
    const [asked] = await scenario.engine.listApprovals();
    expect(asked?.details?.content.kind).toBe('diff');
    expect(asked?.details?.content.text).toMatch(/-before\n\+after/);
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const resumed = await scenario.resume(result.runId);
    expect(resumed.result.outcome.kind).toBe('finished');
    expect([scenario.read('asked.txt'), scenario.read('free/z.txt')]).toEqual(['after\n', 'z\n']);
    const events = await scenario.engine.readEvents(result.runId);
    expect(events.filter(({ type }) => type === 'call-stage')).toHaveLength(1);
  });

  it('changes nothing when a person says no, and its output is told all the same', async () => {
    await using scenario = await open('echo after > asked.txt; echo seen');
    const { result } = await scenario.run({}, settings(scenario));
    const [asked] = await scenario.engine.listApprovals();
    const answer = { decision: 'deny', actor: 'person:test', reason: 'leave it' } as const;
    await scenario.engine.decide({ request: asked?.request ?? '', ...answer });
    const resumed = await scenario.resume(result.runId);
    expect(resumed.result.denied.map(({ because }) => because)).toEqual([
      expect.stringMatching(/^None of the changes it left was made \(1\): person:test said no: leave it/),
    ]);
    expect(scenario.read('asked.txt')).toBe('before\n');
    expect(toldOf(scenario)).toMatch(/stdout:\nseen\n[\s\S]*None of the changes it left was made \(1\).*leave it/);
  });

  it('is asked about again when the file has become another one before the answer', async () => {
    await using scenario = await open('echo after > asked.txt');
    const { result } = await scenario.run({}, settings(scenario));
    const [asked] = await scenario.engine.listApprovals();
    scenario.write('asked.txt', 'somebody was quicker\n');
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const again = await scenario.resume(result.runId);
    expect(again.result.outcome.kind).toBe('awaitingApproval');
    expect(scenario.read('asked.txt')).toBe('somebody was quicker\n');
  });
});
