// Questions that outlive the process that asked them: answered from anywhere, once, and only by somebody entitled.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, DecideParams } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const write = (path: string, content = 'new'): ScriptedCall => ({ tool: 'write_file', arguments: { path, content } });

const open = (...calls: ScriptedCall[]): Promise<Scenario> =>
  openScenario(({ position }) => (position === 0 ? { calls } : { text: 'Done.' }));

async function ask(...calls: ScriptedCall[]): Promise<{ scenario: Scenario; asked: ApprovalRequest }> {
  const scenario = await open(...calls);
  await scenario.run();
  const [asked] = await scenario.engine.listApprovals();
  if (asked === undefined) throw new Error('Nothing was asked');
  return { scenario, asked };
}

const decide = (scenario: Scenario, params: Omit<DecideParams, 'actor'>) =>
  scenario.engine.decide({ actor: 'person:test', ...params });

describe('a question that nobody has answered', () => {
  it('ends the run as waiting, and the model is never told that a person said no (even-realities/everything-evenhub#40)', async () => {
    await using scenario = await open(write('a.txt'), write('b.txt'));
    const { result } = await scenario.run();
    const [first, second] = await scenario.engine.listApprovals();
    expect(result).toMatchObject({
      exitCode: 3,
      denied: [],
      outcome: { kind: 'awaitingApproval', requests: [first?.request, second?.request] },
    });
    await decide(scenario, { request: first?.request ?? '', decision: 'approve' });
    const resumed = await scenario.resume(result.runId);
    expect(resumed.result.outcome).toEqual({ kind: 'awaitingApproval', requests: [second?.request] });
    expect(JSON.stringify(scenario.messages(-1))).not.toContain('said no');
  });

  it('is still there under the same id after the process that asked was killed, and is answered once (openai/codex#42622)', async () => {
    await using scenario = await open(write('a.txt'));
    const contract = JSON.stringify(scenario.contract());
    const options = { environment: scenario.environment };
    const args = ['run', '--contract', '-', '--approve', 'ask', '--json', '--home', scenario.home];
    const run = startCli(args, { ...options, input: contract });
    await run.untilLine((line) => line.includes('"approval-request"'));
    const before = await scenario.engine.listApprovals();
    run.kill('SIGKILL');
    await run.end;
    const after = await scenario.engine.listApprovals();
    expect(after.map(({ request }) => request)).toEqual(before.map(({ request }) => request));
    const request = after[0]?.request ?? '';
    const home = ['--home', scenario.home];
    expect((await runCli(['decide', request, 'approve', ...home], options)).exitCode).toBe(0);
    const second = await runCli(['decide', request, 'deny', ...home], options);
    expect([second.exitCode, second.stderr]).toEqual([
      2,
      expect.stringMatching(/was answered with approve by .* at \d{4}-/),
    ]);
    const resumed = await runCli(['resume', after[0]?.runId ?? '', ...home], options);
    expect([resumed.exitCode, scenario.read('a.txt')]).toEqual([0, 'new']);
  });

  it('reaches a run that waits for it in another process', async () => {
    await using scenario = await open(write('a.txt'));
    const handle = await scenario.start({}, { approve: 'ask' });
    for await (const events of handle.events()) {
      const asked = events.find(({ type }) => type === 'approval-request');
      if (asked?.type !== 'approval-request') continue;
      // The engine of another process would be refused: it would descend from this one, which drives the run.
      await scenario.openEngine().decide({ request: asked.request, decision: 'approve', actor: 'person:test' });
      break;
    }
    expect([(await handle.result).outcome.kind, scenario.read('a.txt')]).toEqual(['finished', 'new']);
  });
});

describe('an answer', () => {
  it('is refused from a process that the run itself has started', async () => {
    await using scenario = await open(write('a.txt'));
    const handle = await scenario.start({}, { approve: 'ask' });
    for await (const events of handle.events()) {
      const asked = events.find(({ type }) => type === 'approval-request');
      if (asked?.type !== 'approval-request') continue;
      const end = await runCli(['decide', asked.request, 'approve', '--home', scenario.home]);
      expect([end.exitCode, end.stderr]).toEqual([2, expect.stringContaining('was started by run')]);
      break;
    }
    handle.interrupt('SIGTERM');
    expect((await handle.result).outcome.kind).toBe('interrupted');
    expect(await scenario.engine.listApprovals()).toHaveLength(1);
  });

  it.each<[string, Omit<DecideParams, 'actor' | 'request'>, string]>([
    ['about other content', { decision: 'approve', digest: 'f'.repeat(64) }, 'approval-changed'],
    ['with too little of a digest', { decision: 'approve', digest: '' }, 'approval-changed'],
    ['with arguments the tool cannot use', { decision: 'approve', rewrite: { path: 'a.txt' } }, 'rewrite-invalid'],
    ['with arguments of another kind of act', { decision: 'approve', rewrite: { command: 'rm a' } }, 'rewrite-invalid'],
    [
      'with a rewrite that is denied',
      { decision: 'approve', rewrite: { path: '.env', content: '' } },
      'rewrite-invalid',
    ],
    ['that denies and rewrites', { decision: 'deny', rewrite: { path: 'b', content: '' } }, 'rewrite-invalid'],
    [
      'that is remembered too widely',
      { decision: 'approve', remember: { scope: 'user', pattern: '*' } },
      'remember-refused',
    ],
    [
      'that remembers something else',
      { decision: 'approve', remember: { scope: 'run', pattern: 'b.txt' } },
      'remember-refused',
    ],
    ['that remembers what it leaves open', { decision: 'defer', remember: { scope: 'run' } }, 'remember-refused'],
  ])('%s changes nothing', async (_title, params, code) => {
    const { scenario, asked } = await ask(write('a.txt'));
    await using _scenario = scenario;
    const before = await scenario.engine.readRun(asked.runId);
    await expect(decide(scenario, { request: asked.request, ...params })).rejects.toMatchObject({ code });
    expect(await scenario.engine.readRun(asked.runId)).toEqual(before);
  });

  it.each(['', 'nonsense', 'run-0000000000000000000000:root:1:0'])(
    'to the unknown question %j is refused',
    async (request) => {
      await using scenario = await open(write('a.txt'));
      await expect(decide(scenario, { request, decision: 'approve' })).rejects.toMatchObject({
        code: 'approval-unknown',
      });
    },
  );

  it('is refused with a credential that others can reach', async () => {
    const { scenario, asked } = await ask(write('a.txt'));
    await using _scenario = scenario;
    const file = join(scenario.home, 'decision-key');
    rmSync(file, { force: true });
    writeFileSync(file, Buffer.alloc(32, 1), { mode: 0o644 });
    const deciding = decide(scenario, { request: asked.request, decision: 'approve' });
    await expect(deciding).rejects.toMatchObject({ code: 'decision-refused' });
  });

  it('with a reason is what the model is told', async () => {
    const { scenario, asked } = await ask(write('a.txt'));
    await using _scenario = scenario;
    await decide(scenario, { request: asked.request, decision: 'deny', reason: 'put it into docs/ instead' });
    const { result } = await scenario.resume(asked.runId);
    expect(JSON.stringify(scenario.messages(-1))).toContain('person:test said no: put it into docs/ instead');
    expect(result.denied).toMatchObject([{ tool: 'write_file', target: 'a.txt' }]);
  });
});

describe('a remembered answer', () => {
  it('holds for the rest of its run and no longer (anthropics/claude-code#38279)', async () => {
    const writes = Array.from({ length: 30 }, (_, place) => write(`src/part-${place}.ts`));
    await using scenario = await openScenario(({ position }) =>
      position < writes.length ? { calls: writes.slice(position, position + 1) } : { text: 'Done.' },
    );
    const { result } = await scenario.run({ budgets: { steps: 40 } });
    const [asked] = await scenario.engine.listApprovals(result.runId);
    await decide(scenario, {
      request: asked?.request ?? '',
      decision: 'approve',
      remember: { scope: 'run', pattern: 'src/*' },
    });
    const { result: resumed } = await scenario.resume(result.runId);
    expect([resumed.outcome.kind, scenario.read('src/part-29.ts')]).toEqual(['finished', 'new']);
    scenario.write('src/part-0.ts', 'other');
    const again = await scenario.run({ budgets: { steps: 40 } });
    expect(again.result.outcome.kind).toBe('awaitingApproval');
  });

  it('stands on disk for the next run, and the file keeps every other byte (anthropics/claude-code#69042, #6911)', async () => {
    const { scenario, asked } = await ask(write('a.txt'));
    await using _scenario = scenario;
    const file = join(scenario.home, 'policy.jsonc');
    const before = '{\n  // mine\n  "layers": [{ "name": "own", "rules": [] }], // kept\n}\n';
    writeFileSync(file, before, { mode: 0o600 });
    const { remembered } = await decide(scenario, {
      request: asked.request,
      decision: 'approve',
      remember: { scope: 'user' },
    });
    expect(remembered).toMatchObject({
      scope: 'user',
      file,
      rule: { act: 'write', effect: 'allow', pattern: './a.txt' },
    });
    const after = readFileSync(file, 'utf8');
    expect([after.includes('// mine'), after.includes('// kept'), after.includes('"./a.txt"')]).toEqual([
      true,
      true,
      true,
    ]);
    await scenario.resume(asked.runId);
    const { result, events } = await scenario.run();
    expect(result.outcome.kind).toBe('finished');
    const judged = events.filter((event) => event.type === 'act-judged' && event.act === 'write');
    expect(judged).toMatchObject([{ effect: 'allow', rule: './a.txt', origin: 'user' }]);
  });

  it.each(['run', 'project', 'user'] as const)(
    'can be given the scope %s (anthropics/claude-code#26535)',
    async (scope) => {
      const { scenario, asked } = await ask(write('a.txt'));
      await using _scenario = scenario;
      const { remembered } = await decide(scenario, {
        request: asked.request,
        decision: 'approve',
        remember: { scope },
      });
      const places = {
        run: null,
        project: expect.stringContaining('/projects/'),
        user: join(scenario.home, 'policy.jsonc'),
      };
      expect(remembered?.file).toEqual(places[scope]);
      expect(JSON.stringify(remembered?.file)).not.toContain(scenario.workspace);
    },
  );
});
