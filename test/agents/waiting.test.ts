// A spawned agent that waits for a person holds up nobody but itself: the others go on, the run ends with all that is asked, and
// what is decided meanwhile, from whichever process, is gone by when it is taken up again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli, startCli } from '../support/run-cli.ts';
import { containment, findAgent, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';
import { startWebServer } from '../support/web-server.ts';

const script: TreeScript = {
  root: [{ calls: [spawn('Ask twice.'), spawn('Ask nobody.'), spawn('Ask once.')] }, { text: 'All done.' }],
  'root/1.0': [{ calls: [write('asked/a.txt', 'a'), write('asked/b.txt', 'b')] }, { text: 'Both are written.' }],
  'root/1.1': [{ calls: [write('free.txt', 'free')] }, { text: 'It is written.' }],
  'root/1.2': [{ calls: [write('asked/c.txt', 'c')] }, { text: 'That one too.' }],
};

const rules = [
  { act: 'write', effect: 'ask', pattern: 'asked/*' },
  { act: 'write', effect: 'allow', pattern: 'free.txt' },
];

async function open(): Promise<Scenario> {
  const scenario = await openScenario(toTreeScript(script));
  permit(scenario, rules);
  return scenario;
}

function permit({ home }: Scenario, own: typeof rules): void {
  const policy = JSON.stringify({ layers: [{ name: 'own', rules: own }] });
  writeFileSync(join(home, 'policy.jsonc'), policy, { mode: 0o600 });
}

const countAsked = ({ server }: Scenario, agent: string): number =>
  server.requests.filter(({ body }) => {
    const messages = Array.isArray(body?.messages) ? body.messages : [];
    return findAgent({ messages }) === agent;
  }).length;

describe('agents that wait for a decision', () => {
  it('hold up no other one, are answered from other processes, and go on', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ containment });
    const { runId, outcome } = result;
    const requests = ['root/1.0:1:0', 'root/1.0:1:1', 'root/1.2:1:0'].map((place) => `${runId}:${place}`);
    expect([outcome, scenario.read('free.txt')]).toEqual([{ kind: 'awaitingApproval', requests }, 'free']);
    expect(countAsked(scenario, 'root/1.1')).toBe(2);

    const options = { environment: scenario.environment };
    const cli = (...words: string[]) => runCli([...words, '--home', scenario.home], options);
    const list = await cli('approvals', '--json');
    expect(parseLines(list.stdout).map(({ request }) => request)).toEqual(requests);
    const shown = await cli('approvals', requests[2] ?? '');
    expect(shown.stdout).toContain('root/1.2, step 1, write_file');
    for (const request of requests.slice(0, 2)) {
      expect(await cli('decide', request, 'approve')).toMatchObject({ exitCode: 0, stderr: '' });
    }
    // What it still waits for, it waits for; the one whose questions are answered goes on to its end.
    const first = await scenario.resume(runId);
    expect(first.result.outcome).toEqual({ kind: 'awaitingApproval', requests: requests.slice(2) });
    expect([scenario.read('asked/a.txt'), scenario.read('asked/b.txt')]).toEqual(['a', 'b']);
    await cli('decide', requests[2] ?? '', 'deny', '--reason', 'Not that one.');
    const last = await scenario.resume(runId);
    expect(last.result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(last.result.denied).toMatchObject([{ target: 'asked/c.txt' }]);
    expect(() => scenario.read('asked/c.txt')).toThrow('ENOENT');
    expect(['root', 'root/1.0', 'root/1.1', 'root/1.2'].map((agent) => countAsked(scenario, agent))).toEqual([
      2, 2, 2, 2,
    ]);
  }, 60_000);

  it('have nobody asked any more once they are cancelled', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ containment });
    const { runId } = result;
    const last = (await scenario.engine.listApprovals(runId)).at(-1);
    await scenario.engine.cancelRun(runId, 'person:test', last?.agentId);
    const { result: resumed } = await scenario.resume(runId);
    const requests = ['root/1.0:1:0', 'root/1.0:1:1'].map((place) => `${runId}:${place}`);
    expect(resumed.outcome).toEqual({ kind: 'awaitingApproval', requests });
    expect((await scenario.engine.listApprovals(runId)).map(({ request }) => request)).toEqual(requests);
    const deciding = scenario.engine.decide({
      request: last?.request ?? '',
      decision: 'approve',
      actor: 'person:test',
    });
    await expect(deciding).rejects.toMatchObject({ code: 'approval-changed' });
  }, 60_000);

  it('are asked about anew where the answer was given with another key than that of the home', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ containment });
    const [asked] = await scenario.engine.listApprovals(result.runId);
    const other = scenario.openEngine();
    await other.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    writeFileSync(join(scenario.home, 'decision-key'), Buffer.alloc(32, 7), { mode: 0o600 });
    const again = scenario.openEngine();
    const handle = await again.resumeRun(result.runId);
    const { outcome } = await handle.result;
    const requests = ['root/1.0:1:0:2', 'root/1.0:1:1', 'root/1.2:1:0'].map((place) => `${result.runId}:${place}`);
    expect(outcome).toEqual({ kind: 'awaitingApproval', requests });
    expect(() => scenario.read('asked/a.txt')).toThrow('ENOENT');
  }, 60_000);
});

describe('an agent whose request was cut off', () => {
  it('has a person say what became of it while the others go on, and then goes on itself', async () => {
    const asked = Promise.withResolvers<void>();
    await using page = await startWebServer(() => asked.resolve()); // It never answers.
    const url = `http://127.0.0.1:${page.port}/`;
    const fetching = toTreeScript({
      root: [{ calls: [spawn('Fetch.'), spawn('Write.')] }, { text: 'All done.' }],
      'root/1.0': [{ calls: [{ tool: 'fetch_url', arguments: { url } }] }, { text: 'It is fetched.' }],
      'root/1.1': [{ calls: [write('free.txt', 'free')], delayMs: 1000 }, { text: 'It is written.' }],
    });
    await using scenario = await openScenario(fetching);
    permit(scenario, [...rules, { act: 'net', effect: 'allow', pattern: '127.0.0.1' }]);
    const { home, environment } = scenario;
    await using cli = startCli(['run', '--contract', '-', '--json', '--home', home], {
      environment,
      input: JSON.stringify(scenario.contract({ containment, recovery: 'ask' })),
    });
    await asked.promise;
    cli.kill('SIGKILL');
    await cli.end;
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('The run is not in the journal');
    const { result } = await scenario.resume(run.runId);
    const request = `${run.runId}:root/1.0:1:0:recovery`;
    expect([result.outcome, scenario.read('free.txt')]).toEqual([
      { kind: 'awaitingRecovery', calls: [request] },
      'free',
    ]);
    const words = ['recover', request, 'completed', '--result', 'It said nothing.', '--home', home];
    expect(await runCli(words, { environment })).toMatchObject({ exitCode: 0, stderr: '' });
    const { result: last } = await scenario.resume(run.runId);
    expect([last.outcome, page.requests.length]).toEqual([{ kind: 'finished', checked: false }, 1]);
    expect(JSON.stringify(scenario.messages(-1))).toContain('It is fetched.');
  }, 60_000);
});
