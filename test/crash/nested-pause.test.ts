// A run that has to wait inside an agent of an agent: taken up in another process it goes on there, not at its beginning.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import { findAgent, spawn, toTreeScript, write } from '../support/tree-script.ts';

const script = toTreeScript({
  root: [{ calls: [write('root.txt', 'root'), spawn('Have it asked about.')] }, { text: 'All done.' }],
  'root/1.1': [{ calls: [write('child.txt', 'child'), spawn('Ask.')] }, { text: 'It was asked about.' }],
  'root/1.1/1.1': [
    { calls: [write('first.txt', 'first')] },
    { calls: [write('asked.txt', 'asked')] },
    { text: 'I have asked.' },
  ],
});

/** Whose replies the server was asked for, in order. */
const askedOf = ({ server }: Scenario): string[] =>
  server.requests.map(({ body, position }) => {
    const messages = Array.isArray(body?.messages) ? body.messages : [];
    return `${findAgent({ messages })} ${position}`;
  });

it('a run that waits inside an agent of an agent goes on at that step, and does nothing before it again (langchain-ai/langgraphjs#1552)', async () => {
  await using scenario = await openScenario(script);
  const rules = [
    { act: 'write', effect: 'allow', pattern: '*' },
    { act: 'write', effect: 'ask', pattern: 'asked.txt' },
  ];
  const policy = JSON.stringify({ layers: [{ name: 'own', rules }] });
  writeFileSync(join(scenario.home, 'policy.jsonc'), policy, { mode: 0o600 });
  const { result } = await scenario.run({ containment: { total: 5, concurrent: 2, depth: 3 } });
  expect(result.outcome).toMatchObject({
    kind: 'awaitingApproval',
    requests: [expect.stringContaining('root/1.1/1.1')],
  });
  const before = ['root 0', 'root/1.1 0', 'root/1.1/1.1 0', 'root/1.1/1.1 1'];
  expect(askedOf(scenario)).toEqual(before);
  const [asked] = await scenario.engine.listApprovals(result.runId);
  if (asked === undefined) throw new Error('A question was expected');
  await scenario.engine.decide({ request: asked.request, decision: 'approve', actor: 'person:ada' });
  await scenario.engine.close();
  const resumed = await runCli(['resume', result.runId, '--home', scenario.home], {
    environment: scenario.environment,
  });
  expect([resumed.exitCode, askedOf(scenario)]).toEqual([0, [...before, 'root/1.1/1.1 2', 'root/1.1 1', 'root 1']]);
  const events = await scenario.openEngine().readEvents(result.runId);
  const starts = events.flatMap((event) => (event.type === 'call-start' ? [`${event.agentId} ${event.tool}`] : []));
  expect(starts.filter((start) => start.endsWith('write_file'))).toEqual([
    'root write_file',
    'root/1.1 write_file',
    'root/1.1/1.1 write_file',
    'root/1.1/1.1 write_file',
  ]);
  expect(scenario.read('asked.txt')).toBe('asked');
});
