// What a spawned agent may not do: everything that whoever spawned it may not do, and what that one has denied it.
import { describe, expect, it } from 'vitest';
import type { JournalEvent, RunSettingsParams } from '../../src/engine/index.ts';
import { openScenario, type RunRecord, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall, ScriptedReply, WireMessage } from '../support/scripted-model-script.ts';
import { containment, findAgent, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const shell = (command: string): ScriptedCall => ({ tool: 'shell', arguments: { command } });
const fetch = (url: string): ScriptedCall => ({ tool: 'fetch_url', arguments: { url } });
const reply = (...calls: ScriptedCall[]): ScriptedReply => ({ calls });
const done: ScriptedReply = { text: 'Done.' };
const deny = (act: string, pattern: string) => ({ deny: [{ act, pattern }] });

/** The results that an agent was told, in order. */
function toldTo({ server }: Scenario, agent: string): string[] {
  const bodies = server.requests.flatMap(({ body }) => (Array.isArray(body?.messages) ? [body.messages] : []));
  const own = bodies.findLast((messages: WireMessage[]) => findAgent({ messages }) === agent) ?? [];
  return own.flatMap(({ role, content }: WireMessage) => (role === 'tool' ? [String(content)] : []));
}

const verdictsOf = ({ events }: RunRecord, agent: string): Extract<JournalEvent, { type: 'act-judged' }>[] =>
  events.flatMap((event) => (event.type === 'act-judged' && event.agentId === agent ? [event] : []));

const open = (script: TreeScript, files: Readonly<Record<string, string>> = {}): Promise<Scenario> =>
  openScenario(toTreeScript(script), { files: { 'kept.txt': 'kept\n', ...files } });

/** Of a policy that allows what `rules` say. */
const under = ({ workspace }: Scenario): RunSettingsParams => ({ policyFile: `${workspace}/policy-of-test.jsonc` });
const policy = (...rules: readonly object[]) => ({
  'policy-of-test.jsonc': JSON.stringify({ layers: [{ name: 'test', rules }] }),
});

describe('what an agent was denied when it was spawned', () => {
  it.each<[string, string, string, ScriptedCall]>([
    ['reading', 'read', 'kept.txt', read('kept.txt')],
    ['writing', 'write', '*', write('made.txt', 'x')],
    ['running', 'exec', 'ls', shell('ls')],
    ['connecting', 'net', 'a.example:*', fetch('http://a.example/')],
  ])(
    'it may not do, whatever the run may, and the layer says who has denied it: %s',
    async (_title, act, pattern, call) => {
      const script = { root: [reply(spawn('Try.', deny(act, pattern))), done], 'root/1.0': [reply(call), done] };
      await using scenario = await open(script, policy({ act: 'net', effect: 'allow', pattern: 'a.example:*' }));
      const record = await scenario.run({ containment }, { ...under(scenario), ...all });
      expect(toldTo(scenario, 'root/1.0')[0]).toContain('whoever has spawned the agent has denied it this');
      const denied = verdictsOf(record, 'root/1.0').find(({ effect }) => effect === 'deny');
      expect(denied).toMatchObject({ act, rule: pattern, layer: 'root/1.0', origin: 'agent' });
      expect(record.result.outcome.kind).toBe('finished');
    },
  );

  it('holds for those that it spawns itself, and not for whoever spawned it', async () => {
    await using scenario = await open({
      root: [reply(spawn('Delegate.', deny('write', 'shut/*'))), reply(write('shut/root.txt', 'x')), done],
      'root/1.0': [reply(spawn('Try.', deny('write', 'also/*'))), reply(write('also/child.txt', 'x')), done],
      'root/1.0/1.0': [
        reply(write('shut/a.txt', 'x')),
        reply(write('also/b.txt', 'x')),
        reply(write('c.txt', 'x')),
        done,
      ],
    });
    const record = await scenario.run({ containment }, all);
    const judged = verdictsOf(record, 'root/1.0/1.0').filter(({ act }) => act === 'write');
    expect(judged.map(({ target, effect, layer }) => [target, effect, layer])).toEqual([
      ['shut/a.txt', 'deny', 'root/1.0'],
      ['also/b.txt', 'deny', 'root/1.0/1.0'],
      ['c.txt', 'ask', 'default'],
    ]);
    expect(['shut/root.txt', 'also/child.txt', 'c.txt'].map(scenario.read)).toEqual(['x', 'x', 'x']);
  });

  it('is no more than the run denies already where it says nothing', async () => {
    const rules = policy(
      { act: 'write', effect: 'deny', pattern: 'shut/*' },
      { act: 'write', effect: 'allow', pattern: '*' },
    );
    const script = {
      root: [reply(spawn('Try.')), done],
      'root/1.0': [reply(write('shut/a', 'x'), write('b', 'x')), done],
    };
    await using scenario = await open(script, rules);
    await scenario.run({ containment }, under(scenario));
    expect(toldTo(scenario, 'root/1.0')[0]).toContain('is denied by the rule "shut/*" of the layer "test"');
    expect(scenario.read('b')).toBe('x');
  });

  it('stands above what a person has remembered for the run meanwhile', async () => {
    await using scenario = await open({
      root: [reply(write('a.txt', 'x')), reply(spawn('One.'), spawn('Two.', deny('write', 'b.txt'))), done],
      'root/2.0': [reply(write('a.txt', 'mine')), reply(read('a.txt')), reply(write('a.txt', 'y')), done],
      'root/2.1': [reply(write('b.txt', 'x')), done],
    });
    const { result } = await scenario.run({ containment });
    const [asked] = await scenario.engine.listApprovals();
    const request = asked?.request ?? '';
    const remember = { scope: 'run', pattern: '*.txt' } as const;
    await scenario.engine.decide({ request, decision: 'approve', actor: 'person:test', remember });
    const resumed = await scenario.resume(result.runId);
    expect([resumed.result.outcome.kind, scenario.read('a.txt')]).toEqual(['finished', 'y']);
    expect(toldTo(scenario, 'root/2.1')[0]).toContain('is denied by the rule "b.txt" of the layer "root/2.1"');
  });
});

describe('the tools of a spawned agent', () => {
  it('are those that were given to it; a call of another one is answered with what there is', async () => {
    await using scenario = await open({
      root: [reply(spawn('Look.', { tools: ['read_file', 'grep'] })), done],
      'root/1.0': [reply(write('made.txt', 'x')), done],
    });
    await scenario.run({ containment }, all);
    expect(toldTo(scenario, 'root/1.0')).toEqual([
      'There is no tool named "write_file". The tools are: read_file, grep.',
    ]);
    const offered = scenario.server.requests.find(({ body }) =>
      JSON.stringify(body).includes('You are the agent root/1.0'),
    );
    expect(JSON.stringify(offered?.body?.tools)).not.toContain('write_file');
  });
});

describe('the check that an agent is spawned with', () => {
  const check = (verification: object): TreeScript => ({
    root: [reply(spawn('Do it.', { verification })), done],
    'root/1.0': [done],
  });
  const command = { kind: 'command', argv: ['ls', 'kept.txt'] };
  const test = { kind: 'nodeTest', files: ['kept.txt'], testSource: 'import "node:test";' };

  it.each([
    ['a command', command, 'ls kept.txt'],
    ['code of its own', test, 'node --test kept.txt'],
    [
      'a part of it',
      { kind: 'all', of: [{ kind: 'fileContains', file: 'kept.txt', text: 'kept' }, command] },
      'ls kept.txt',
    ],
  ])('is asked about with the spawn where policy asks about what it runs: %s', async (_title, verification, target) => {
    await using scenario = await open(check(verification));
    const { result, events } = await scenario.run({ containment });
    expect(result.outcome.kind).toBe('awaitingApproval');
    const [asked] = await scenario.engine.listApprovals();
    const wanted = asked?.details?.acts.filter(({ verdict }) => verdict.effect === 'ask');
    expect(wanted?.map(({ act }) => `${act.kind} ${act.target}`)).toEqual([`exec ${target}`]);
    expect(events.filter(({ type }) => type === 'agent-spawn')).toEqual([]);
  });

  it('is carried out with the yes that the spawn was given', async () => {
    await using scenario = await open(check(command));
    const { result } = await scenario.run({ containment });
    const [asked] = await scenario.engine.listApprovals();
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const resumed = await scenario.resume(result.runId);
    expect(resumed.result.outcome.kind).toBe('finished');
    expect(toldTo(scenario, 'root')[0]).toContain('root/1.0 ended after 1 turns: its check holds.');
  });

  it.each([
    ['a command that is denied', { kind: 'command', argv: ['rm', '-rf', 'src'] }, 'the rule "rm *"'],
    ['a file outside', { kind: 'fileContains', file: '../outside.txt', text: 'x' }, '"../outside.txt"'],
    ['a secret', { kind: 'fileContains', file: '.env', text: 'x' }, 'the layer "secrets"'],
  ])('is refused with the spawn where it may not be: %s', async (_title, verification, because) => {
    await using scenario = await open(check(verification), policy({ act: 'exec', effect: 'deny', pattern: 'rm *' }));
    const { events } = await scenario.run({ containment }, { ...under(scenario), ...all });
    expect(toldTo(scenario, 'root')[0]).toContain(because);
    expect(events.filter(({ type }) => type === 'agent-spawn')).toEqual([]);
  });
});
