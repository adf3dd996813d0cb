// What agents say to each other: told once, in order, to whom it was said, with what its sender had been shown.
import { describe, expect, it } from 'vitest';
import { openScenario, type RunRecord, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall, ScriptedReply, WireMessage } from '../support/scripted-model-script.ts';
import { containment, findAgent, spawn, type TreeScript, toTreeScript } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

const say = (to: string, text: string): ScriptedCall => ({ tool: 'send_message', arguments: { to, text } });
const listen = (seconds = 600): ScriptedCall => ({ tool: 'read_messages', arguments: { seconds } });
const detached = (goal: string): ScriptedCall => spawn(goal, { detached: true });
const awaitAll = (...agents: string[]): ScriptedCall => ({ tool: 'wait_agents', arguments: { agents } });
const reply = (...calls: ScriptedCall[]): ScriptedReply => ({ calls });
const done: ScriptedReply = { text: 'Done.' };

interface Told {
  readonly scenario: Scenario;
  readonly record: RunRecord;
  /** The results that an agent was told, in order. */
  toldTo(agent: string): string[];
}

async function run(script: TreeScript, limits: object = {}): Promise<Told & AsyncDisposable> {
  const scenario = await openScenario(toTreeScript(script));
  const record = await scenario.run({ containment: { ...containment, ...limits }, budgets: { steps: 60 } }, all);
  const bodies = scenario.server.requests.flatMap(({ body }) => (Array.isArray(body?.messages) ? [body.messages] : []));
  return {
    scenario,
    record,
    toldTo(agent) {
      const own = bodies.findLast((messages: WireMessage[]) => findAgent({ messages }) === agent) ?? [];
      return own.flatMap(({ role, content }: WireMessage) => (role === 'tool' ? [String(content)] : []));
    },
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  };
}

describe('messages between agents', () => {
  it('go up, down and across, each to the one it is for', async () => {
    await using tree = await run({
      root: [
        reply(detached('One.'), detached('Two.')),
        reply(say('root/1.0', 'From above.')),
        reply(listen()),
        reply(awaitAll('root/1.0', 'root/1.1')),
        done,
      ],
      'root/1.0': [reply(listen()), reply(say('root/1.1', 'From beside.')), done],
      'root/1.1': [reply(listen()), reply(say('parent', 'From below.')), done],
    });
    expect([tree.toldTo('root/1.0')[0], tree.toldTo('root/1.1')[0], tree.toldTo('root')[3]]).toEqual([
      'From root:\nFrom above.',
      'From root/1.0:\nFrom beside.',
      'From root/1.1:\nFrom below.',
    ]);
  });

  it('are told once and in the order in which they were sent', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await using tree = await run({
      root: [reply(detached('Talk.')), reply(awaitAll('root/1.0')), reply(listen(0)), reply(listen(0)), done],
      'root/1.0': [...names.map((name) => reply(say('root', `${name}1`), say('parent', `${name}2`))), done],
    });
    const [, , first, second] = tree.toldTo('root');
    expect(first?.match(/^[a-d]\d$/gm)).toEqual(names.flatMap((name) => [`${name}1`, `${name}2`]));
    expect(second).toBe('There is no message.');
  });

  it('are read in parts where one result would not hold them, and none is lost', async () => {
    const long = (letter: string) => letter.repeat(10_000);
    await using tree = await run({
      root: [reply(detached('Talk.')), reply(awaitAll('root/1.0')), reply(listen(0)), reply(listen(0)), done],
      'root/1.0': [reply(...['a', 'b', 'c'].map((letter) => say('root', long(letter)))), done],
    });
    expect(tree.toldTo('root').slice(2)).toEqual([
      `From root/1.0:\n${long('a')}\n\nFrom root/1.0:\n${long('b')}\n\nMore wait to be read: 1.`,
      `From root/1.0:\n${long('c')}`,
    ]);
  });

  it('are waited for no longer than was said', async () => {
    await using tree = await run({ root: [reply(detached('Wait.')), done], 'root/1.0': [reply(listen(0.05)), done] });
    expect(tree.toldTo('root/1.0')).toEqual(['There is no message.']);
  });

  it('are waited for without a place among those that are at work', async () => {
    await using tree = await run(
      {
        root: [reply(...['One.', 'Two.', 'Three.'].map((goal) => spawn(goal))), done],
        'root/1.0': [reply(listen()), reply(say('root/1.1', 'x')), done],
        'root/1.1': [reply(listen()), done],
        'root/1.2': [reply(say('root/1.0', 'x')), done],
      },
      { concurrent: 1 },
    );
    expect(tree.record.result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(tree.toldTo('root/1.1')).toEqual(['From root/1.0:\nx']);
  });

  it('are told in one order to everybody who reads the journal, however many send at once', async () => {
    const senders = Array.from({ length: 8 }, (_, index) => `root/1.${index}`);
    await using tree = await run({
      root: ({ messages, position }) => {
        if (position === 0) return reply(...senders.map((name) => detached(name)));
        const told = messages.flatMap(({ content }) => String(content).match(/^From root/gm) ?? []);
        return told.length < senders.length * 3 ? reply(listen()) : done;
      },
      '*': ({ agent, position }) => (position < 3 ? reply(say('root', `${agent} ${position}`)) : done),
    });
    const heard = tree.toldTo('root').flatMap((told) => told.match(/^root\/1\.\d \d$/gm) ?? []);
    expect(heard.toSorted()).toEqual(senders.flatMap((name) => [0, 1, 2].map((position) => `${name} ${position}`)));
    const sent = tree.record.events.flatMap((event) => (event.type === 'mail-send' ? [event.agentId] : []));
    expect(heard.map((line) => line.split(' ')[0])).toEqual(sent);
    expect((await tree.scenario.engine.replayRun(tree.record.result.runId)).divergence).toBeNull();
  });

  it('have their secrets masked', async () => {
    await using tree = await run({
      root: [reply(detached('Talk.')), reply(awaitAll('root/1.0')), reply(listen(0)), done],
      'root/1.0': [reply(say('root', 'api_key = "sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0"')), done],
    });
    const told = tree.toldTo('root')[2];
    expect(told).toContain('From root/1.0:\napi_key');
    expect(told).not.toContain('9f8e7d6c5b4a3928');
  });
});

describe('a message that cannot be told', () => {
  it.each([
    ['to nobody', 'root/9.9', 'Nothing was sent: there is no other agent "root/9.9". There are: root, root/1.1.'],
    [
      'to what is no name',
      'the boss',
      'Nothing was sent: there is no other agent "the boss". There are: root, root/1.1.',
    ],
    [
      'to what every object has',
      'constructor',
      'Nothing was sent: there is no other agent "constructor". There are: root, root/1.1.',
    ],
    ['to itself', 'root/1.0', 'Nothing was sent: there is no other agent "root/1.0". There are: root, root/1.1.'],
  ])('is refused, and says who is there: %s', async (_title, to, told) => {
    await using tree = await run({
      root: [reply(spawn('One.'), spawn('Two.')), done],
      'root/1.0': [reply(say(to, 'x')), done],
      'root/1.1': [done],
    });
    expect(tree.toldTo('root/1.0')).toEqual([told]);
    expect(tree.record.events.filter(({ type }) => type === 'mail-send')).toEqual([]);
  });

  it('is refused where nobody stands above', async () => {
    await using tree = await run({ root: [reply(say('parent', 'x')), done] });
    expect(tree.toldTo('root')).toEqual(['Nothing was sent: there is no other agent "parent". There are: none.']);
  });

  it('is refused when whom it is for has ended', async () => {
    await using tree = await run({
      root: [reply(spawn('One.')), reply(say('root/1.0', 'x')), done],
      'root/1.0': [done],
    });
    expect(tree.toldTo('root')[1]).toBe('Nothing was sent: root/1.0 has ended (finished).');
  });

  it.each([
    ['by their number', 'x', 101, /mailbox of root is full, and it has to read first: 100 messages wait there/],
    [
      'by their size',
      'x'.repeat(20_000),
      27,
      /is full, .* 4288 of 524288 bytes are left, and this message has 20000\./,
    ],
  ])('is refused when too many wait to be read: %s', async (_title, text, count, told) => {
    await using tree = await run({
      root: [reply(spawn('Talk.')), done],
      'root/1.0': [reply(...Array.from({ length: count }, () => say('root', text))), done],
    });
    const results = tree.toldTo('root/1.0');
    expect(results.at(-1)).toMatch(told);
    expect(results.slice(0, -1)).toEqual(
      Array.from({ length: count - 1 }, () => 'Sent to root, which waits for your end and reads it after that.'),
    );
  });

  it('is told to nobody when whom it was for ends without reading, and stays in the trace', async () => {
    await using tree = await run({
      root: [reply(spawn('Talk.')), done],
      'root/1.0': [reply(say('root', 'A word that nobody asks for.')), done],
    });
    const sent = tree.record.events.filter(({ type }) => type === 'mail-send');
    expect(sent).toMatchObject([{ agentId: 'root/1.0', to: 'root' }]);
    const requests = JSON.stringify(tree.scenario.server.requests.map(({ body }) => body?.messages));
    expect(requests).not.toContain('From root/1.0:');
  });
});
