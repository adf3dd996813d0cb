// What becomes of the calls of a reply: in which order they run, which of them do not run at all, and that the model is told
// of each, in the place where a strict provider wants it.
import { afterEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario, type ScenarioOptions } from '../support/open-scenario.ts';
import type { Script, ScriptedCall, ScriptedReply } from '../support/scripted-model-script.ts';

const claim: ScriptedReply = { text: 'Done.' };
const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const write = (path: string, content: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content } });
const edit = (path: string, old: string, replacement: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old, new: replacement },
});

let opened: Scenario | undefined;

async function open(script: Script, options?: ScenarioOptions): Promise<Scenario> {
  opened = await openScenario(script, options);
  return opened;
}

afterEach(async () => {
  const faults = opened?.server.requests.flatMap((_request, place) => findPairingFaults(opened?.messages(place) ?? []));
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
  expect(faults, 'every request pairs each call with its result').toEqual([]);
});

/** What the model was shown of the calls of its last reply, in order. */
function readResults(scenario: Scenario, request = -1): unknown[] {
  const messages = scenario.messages(request);
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(reply + 1).map(({ content }) => content);
}

const toStatuses = (events: readonly JournalEvent[]) =>
  events.flatMap((event) => (event.type === 'call-finish' ? [`${event.tool}: ${event.status}`] : []));

describe('calls that are not carried out', () => {
  it('are each answered with the reason, beside the calls of the reply that are', async () => {
    const calls: ScriptedCall[] = [
      read('.env'),
      { tool: 'launch_rocket', arguments: { to: 'moon' } },
      { tool: 'write_file', arguments: '{"path": "b.txt", "content": ' },
      { tool: 'write_file', arguments: { path: 'b.txt', contents: 'x', content: 3 } },
      read('../outside.txt'),
      read('a.txt'),
    ];
    const scenario = await open([{ calls }, claim], { files: { '.env': 'A=1', 'a.txt': 'text\n' } });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect(toStatuses(events).toSorted()).toEqual(
      [
        'read_file: denied',
        'launch_rocket: unusable',
        'write_file: unusable',
        'write_file: unusable',
        'read_file: denied',
        'read_file: ok',
      ].toSorted(),
    );
    expect(readResults(scenario)).toEqual([
      expect.stringMatching(/^Not allowed: read of "\.env" is denied by the rule "\.env" of the layer "secrets"/),
      expect.stringMatching(/^There is no tool named "launch_rocket"\. The tools are: read_file, /),
      expect.stringMatching(/^The arguments of write_file are not valid JSON/),
      expect.stringMatching(/^The arguments of write_file do not fit: .*content.*; .*contents/),
      expect.stringMatching(/^Not allowed: read of "\.\.\/outside\.txt" is denied/),
      'a.txt: 1 line\ntext\n',
    ]);
  });

  it('are all those of a reply that the output limit cut off, however whole they look (ahwurm/localharness#77)', async () => {
    const calls = [write('a.txt', 'half of it'), read('a.txt'), { tool: 'write_file', arguments: '{"path":"b' }];
    const scenario = await open([{ calls, finishReason: 'length' }, claim], { files: { 'a.txt': 'before' } });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect(toStatuses(events)).toEqual(['write_file: unusable', 'read_file: unusable', 'write_file: unusable']);
    expect(readResults(scenario)).toEqual(Array(3).fill(expect.stringMatching(/^The reply was cut off/)));
    expect(scenario.read('a.txt')).toBe('before');
  });

  it('and a text that was cut off does not count as the end of the work', async () => {
    const scenario = await open([{ text: 'The answer is', finishReason: 'length' }, claim]);
    const { result } = await scenario.run();
    expect([result.outcome.kind, result.usage.steps]).toEqual(['finished', 2]);
    expect(scenario.messages(1).at(-1)).toEqual({
      role: 'user',
      content: expect.stringMatching(/^Your reply was cut/),
    });
  });

  it('and a last reply above that limit loses nothing of the work: the outcome says so, and it can be gone on from (anthropics/claude-code#69434)', async () => {
    const long: ScriptedReply = { text: `So far: ${'word '.repeat(9000)}`, finishReason: 'length' };
    const scenario = await open(({ messages, position }) => {
      if (position === 0) return { calls: [write('a.txt', 'worked out\n')] };
      return JSON.stringify(messages.at(-1)).includes('Be brief.') ? claim : long;
    });
    const { result } = await scenario.run({ budgets: { steps: 3 } }, { approve: 'all' });
    expect([result.outcome, result.exitCode, scenario.read('a.txt')]).toEqual([
      { kind: 'budget', which: 'steps', reason: 'All 3 steps are used.' },
      5,
      'worked out\n',
    ]);
    const replies = (await scenario.engine.readEvents(result.runId)).filter(({ type }) => type === 'model-finish');
    expect(replies.map((event) => event.type === 'model-finish' && event.finish)).toEqual([
      'calls',
      'length',
      'length',
    ]);
    const fork = await scenario.engine.forkRun(result.runId, { place: { kind: 'here' }, goal: 'Be brief.' });
    const { result: end } = await scenario.resume(fork.runId);
    expect(end.outcome.kind).toBe('finished');
    expect(JSON.stringify(scenario.messages(-1))).toContain('So far: word');
  });

  it('cost a step, so that a model which only asks for what is denied comes to an end', async () => {
    const scenario = await open(() => ({ calls: [read('.env')] }), { files: { '.env': 'A=1' } });
    const { result } = await scenario.run({ budgets: { steps: 3 } });
    expect([result.outcome, result.usage.steps]).toEqual([
      { kind: 'budget', which: 'steps', reason: 'All 3 steps are used.' },
      3,
    ]);
  });
});

describe('the calls of one reply', () => {
  it('are started together when they only read, and answered in the order of the reply', async () => {
    const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };
    const scenario = await open([{ calls: [read('c.txt'), read('a.txt'), read('b.txt')] }, claim], { files });
    const { events } = await scenario.run();
    const order = events.flatMap((event) => (/^call-/.test(event.type) ? [event.type] : []));
    expect(order).toEqual(['call-start', 'call-start', 'call-start', 'call-finish', 'call-finish', 'call-finish']);
    expect(readResults(scenario)).toEqual(['c.txt: 1 line\nc', 'a.txt: 1 line\na', 'b.txt: 1 line\nb']);
  });

  it('are never started before a write that stands ahead of them', async () => {
    const calls = [read('a.txt'), write('a.txt', 'two'), read('a.txt'), write('a.txt', 'three'), read('a.txt')];
    const scenario = await open([{ calls }, claim], { files: { 'a.txt': 'one' } });
    await scenario.run({}, { approve: 'all' });
    const shown = readResults(scenario).filter((_content, place) => place % 2 === 0);
    expect(shown).toEqual(['a.txt: 1 line\none', 'a.txt: 1 line\ntwo', 'a.txt: 1 line\nthree']);
  });

  it('all take effect when six of them edit one file (netease-lcap/wave-agent#1256)', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    const calls = names.map((name) => edit('a.txt', `${name}: no`, `${name}: yes`));
    const text = (answer: string) => names.map((name) => `${name}: ${answer}\n`).join('');
    const scenario = await open([{ calls }, claim], { files: { 'a.txt': text('no') } });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect(scenario.read('a.txt')).toBe(text('yes'));
    expect(toStatuses(events)).toEqual(Array(6).fill('edit_file: ok'));
  });

  it('go on after one of them has failed', async () => {
    const calls = [edit('a.txt', 'missing', 'x'), edit('a.txt', 'one', 'two'), read('nowhere.txt')];
    const scenario = await open([{ calls }, claim], { files: { 'a.txt': 'one' } });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect([scenario.read('a.txt'), toStatuses(events)]).toEqual([
      'two',
      ['edit_file: failed', 'edit_file: ok', 'read_file: failed'],
    ]);
  });

  it('are asked about all at once, before the first of them is held up', async () => {
    const calls = [write('a.txt', 'x'), read('c.txt'), write('b.txt', 'y')];
    const scenario = await open([{ calls }, claim], { files: { 'c.txt': 'c' } });
    const { result } = await scenario.run();
    const { runId } = result;
    expect(result.outcome).toEqual({ kind: 'awaitingApproval', requests: [`${runId}:root:1:0`, `${runId}:root:1:2`] });
    const resumed = await scenario.resume(runId, { approve: 'all' });
    expect([resumed.result.outcome.kind, scenario.read('a.txt'), scenario.read('b.txt')]).toEqual([
      'finished',
      'x',
      'y',
    ]);
  });

  it.each([
    ['an id that an earlier reply used', [{ ...read('a.txt'), id: 'call_0_0' }]],
    ['an empty id', [{ ...read('a.txt'), id: '' }]],
  ])('are paired with their results when the provider gives %s', async (_title, calls) => {
    const files = { 'a.txt': 'a', 'b.txt': 'b' };
    const scenario = await open([{ calls: [read('b.txt')] }, { calls }, claim], { files });
    const { result } = await scenario.run();
    expect(result.outcome.kind).toBe('finished');
    expect(readResults(scenario)).toEqual(['a.txt: 1 line\na']);
  });

  it('may be many', async () => {
    const calls = Array.from({ length: 100 }, (_each, place) => write(`made/${place}.txt`, String(place)));
    const scenario = await open([{ calls }, claim]);
    const { events } = await scenario.run({}, { approve: 'all' });
    expect([toStatuses(events).length, scenario.read('made/99.txt')]).toEqual([100, '99']);
  });
});

describe('a write over a file that changed since the agent looked', () => {
  const stale = /^a\.txt was changed since you looked at it: you last saw \w+, it is now \w+\. Nothing was written\./;

  it.each([
    ['write_file', write('a.txt', 'mine')],
    ['edit_file', edit('a.txt', 'one', 'mine')],
  ])('is refused by %s with both hashes (anthropics/claude-code#43138)', async (_tool, call) => {
    const script: Script = ({ position }) => {
      if (position === 1) opened?.write('a.txt', 'one, and somebody else was here');
      return [{ calls: [read('a.txt')] }, { calls: [call] }, claim][position];
    };
    const scenario = await open(script, { files: { 'a.txt': 'one' } });
    await scenario.run({}, { approve: 'all' });
    expect(scenario.read('a.txt')).toBe('one, and somebody else was here');
    expect(readResults(scenario)).toEqual([expect.stringMatching(stale)]);
  });

  it('is refused after a resume too: what was seen is part of the journal', async () => {
    const calls = [write('a.txt', 'mine')];
    const failing: ScriptedReply = { calls, fault: { kind: 'status', status: 404 }, faultTimes: 1 };
    const scenario = await open([{ calls: [read('a.txt')] }, failing, claim], { files: { 'a.txt': 'one' } });
    const { result } = await scenario.run({}, { approve: 'all' });
    scenario.write('a.txt', 'two');
    await scenario.resume(result.runId);
    expect(scenario.read('a.txt')).toBe('two');
    expect(readResults(scenario)).toEqual([expect.stringMatching(stale)]);
  });

  it('is made once the agent has looked again', async () => {
    const script: Script = ({ position }) => {
      if (position === 1) opened?.write('a.txt', 'two');
      const calls = [[read('a.txt')], [write('a.txt', 'three'), read('a.txt'), write('a.txt', 'three')]][position];
      return calls === undefined ? claim : { calls };
    };
    const scenario = await open(script, { files: { 'a.txt': 'one' } });
    const { events } = await scenario.run({}, { approve: 'all' });
    expect([scenario.read('a.txt'), toStatuses(events)]).toEqual([
      'three',
      ['read_file: ok', 'write_file: failed', 'read_file: ok', 'write_file: ok'],
    ]);
  });
});
