// Agents that work on the same files: whoever was overtaken is told by whom and what is different, and nothing is lost.
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall, ScriptedReply, WireMessage } from '../support/scripted-model-script.ts';
import { type AgentScript, containment, findAgent, spawn, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const edit = (path: string, old: string, now: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old, new: now },
});
const tell = (to: string): ScriptedCall => ({ tool: 'send_message', arguments: { to, text: 'Go on.' } });
const awaitWord: ScriptedCall = { tool: 'read_messages', arguments: { seconds: 600 } };
const reply = (...calls: ScriptedCall[]): ScriptedReply => ({ calls });
const done: ScriptedReply = { text: 'Done.' };

/** What the last request of an agent shows of its calls. */
function toldTo({ server }: Scenario, agent: string): string[] {
  const bodies = server.requests.flatMap(({ body }) => (Array.isArray(body?.messages) ? [body.messages] : []));
  const own = bodies.findLast((messages: WireMessage[]) => findAgent({ messages }) === agent) ?? [];
  return own.flatMap(({ role, content }: WireMessage) => (role === 'tool' ? [String(content)] : []));
}

/** The second looks, the first one writes meanwhile, and then the second one writes. */
async function openTwo(files: Readonly<Record<string, string>>, first: ScriptedCall, second: ScriptedReply[]) {
  const script = toTreeScript({
    root: [reply(spawn('First.'), spawn('Second.')), done],
    'root/1.0': [reply(awaitWord), reply(first), reply(tell('root/1.1')), done],
    'root/1.1': [...second, done],
  });
  return await openScenario(script, { files });
}

describe('an agent that writes to a file which another one has changed', () => {
  it('is refused and shown the difference and whose it is, and succeeds when it has read again', async () => {
    const first = edit('shared.txt', 'two', 'TWO');
    const second = [
      reply(read('shared.txt')),
      reply(tell('root/1.0')),
      reply(awaitWord),
      reply(edit('shared.txt', 'four', 'FOUR')),
      reply(read('shared.txt')),
      reply(edit('shared.txt', 'four', 'FOUR')),
    ];
    await using scenario = await openTwo({ 'shared.txt': 'one\ntwo\nthree\nfour\n' }, first, second);
    await scenario.run({ containment }, all);
    expect(scenario.read('shared.txt')).toBe('one\nTWO\nthree\nFOUR\n');
    const refusal = toldTo(scenario, 'root/1.1')[3];
    expect(refusal).toContain(
      'Nothing was written. The agent root/1.0 changed it last, in step 2. Read it again first.',
    );
    expect(refusal).toContain('What is different since then:\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four');
  });

  it('does not write over a whole file that it has never looked at', async () => {
    const second = [
      reply(tell('root/1.0')),
      reply(awaitWord),
      reply(write('made.txt', 'mine')),
      reply(read('made.txt')),
      reply(write('made.txt', 'both')),
    ];
    await using scenario = await openTwo({}, write('made.txt', 'theirs'), second);
    await scenario.run({ containment }, all);
    expect(toldTo(scenario, 'root/1.1')[2]).toBe(
      'made.txt is there already, and you have not looked at it. Nothing was written. The agent root/1.0 changed it last, in step 2. Read it first.',
    );
    expect(scenario.read('made.txt')).toBe('both');
  });

  it('is not shown lines beside a secret, which could be the rest of one', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n'.repeat(4)}-----END PRIVATE KEY-----\n`;
    const second = [
      reply(read('deploy.txt')),
      reply(tell('root/1.0')),
      reply(awaitWord),
      reply(edit('deploy.txt', '# end', '# the end')),
    ];
    await using scenario = await openTwo(
      { 'deploy.txt': `${key}# end\n` },
      edit('deploy.txt', '# end', '# END'),
      second,
    );
    await scenario.run({ containment }, all);
    const refusal = toldTo(scenario, 'root/1.1')[3];
    expect(refusal).toContain('The agent root/1.0 changed it last');
    expect(refusal).not.toContain('What is different');
  });
});

describe('agents that all count in one file', () => {
  const agents = 5;
  const times = 3;

  /** Reads, writes the next number, and does so again until it has succeeded often enough. */
  const countWith =
    (look: ScriptedCall, count: (now: number) => ScriptedCall, isCounted: (told: string) => boolean): AgentScript =>
    ({ messages }) => {
      const told = messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
      if (told.filter(isCounted).length >= times) return done;
      const now = /count: (\d+)\n/.exec(told.at(-1) ?? '');
      const isLook = told.length % 2 === 1;
      return reply(isLook && now !== null ? count(Number(now[1])) : look);
    };

  it.each<[string, AgentScript]>([
    [
      'with edits',
      countWith(
        read('count.txt'),
        (now) => edit('count.txt', `count: ${now}`, `count: ${now + 1}`),
        (told) => told.startsWith('Edited count.txt'),
      ),
    ],
    [
      'with commands',
      countWith(
        read('count.txt'),
        () => ({
          tool: 'shell',
          arguments: { command: 'n=$(sed "s/count: //" count.txt); echo "count: $((n + 1))" > count.txt' },
        }),
        (told) => told.includes('changed count.txt'),
      ),
    ],
  ])('lose no count, however often they overtake each other: %s', async (_title, script) => {
    const goals = Array.from({ length: agents }, (_, index) => spawn(`Count ${index}.`, { budgets: { steps: 200 } }));
    await using scenario = await openScenario(toTreeScript({ root: [{ calls: goals }, done], '*': script }), {
      files: { 'count.txt': 'count: 0\n' },
    });
    const { result } = await scenario.run({ containment }, all);
    expect([result.outcome.kind, scenario.read('count.txt')]).toEqual(['finished', `count: ${agents * times}\n`]);
  });
});
