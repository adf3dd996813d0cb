// What the model is shown: of a large result its ends, of an old one a pointer when room runs out, and otherwise the same
// bytes request after request, because caches live on them.
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { countTurns } from '../support/count-turns.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { Script, ScriptedReply } from '../support/scripted-model-script.ts';

const claim: ScriptedReply = { text: 'Done.' };
const read = (path: string): ScriptedReply => ({ calls: [{ tool: 'read_file', arguments: { path } }], usage: null });

const lines = (count: number) => Array.from({ length: count }, (_each, place) => `line ${place + 1} of the file\n`);

type Compaction = Extract<JournalEvent, { type: 'context-compact' }>;
const isCompaction = (event: JournalEvent): event is Compaction => event.type === 'context-compact';

/** Each message of each request as the bytes it took on the wire. */
const toWireTexts = (scenario: Scenario): string[][] =>
  scenario.server.requests.map((_request, place) => scenario.messages(place).map((message) => JSON.stringify(message)));

/** Places of requests that do not begin with the whole of the request before them. */
function findBreaks(requests: readonly (readonly string[])[]): number[] {
  return requests.flatMap((messages, place) => {
    const before = requests[place - 1] ?? [];
    return before.every((message, at) => messages[at] === message) ? [] : [place];
  });
}

describe('a large result', () => {
  it('is shown by its head and tail in 32 KiB, with what was left out; the journal keeps the whole', async () => {
    const text = lines(5000).join('');
    await using scenario = await openScenario([read('big.txt'), claim], { files: { 'big.txt': text } });
    const { events } = await scenario.run();
    const shown = String(scenario.messages(1).at(-1)?.content);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(32 * 1024);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(31 * 1024);
    expect(shown).toMatch(/^big\.txt: 5000 lines\nline 1 of the file\n/);
    expect(shown.endsWith('line 4999 of the file\nline 5000 of the file\n')).toBe(true);
    const note = /\n\[(\d+) of (\d+) bytes left out here, about lines (\d+) to (\d+) of this result\..*\]\n/.exec(
      shown,
    );
    const [whole, left, total] = note ?? [];
    expect(shown.length - (whole ?? '').length + Number(left)).toBeCloseTo(Number(total), -1);
    const finish = events.find((event) => event.type === 'call-finish');
    if (finish?.type !== 'call-finish') throw new Error('No call was finished');
    expect(await scenario.engine.readText(finish.result)).toBe(`big.txt: 5000 lines\n${text}`);
  });

  it.each([
    ['of one line', 'x'.repeat(100_000)],
    ['of characters of four bytes', '\u{1F600}'.repeat(20_000)],
  ])('%s is cut between two characters', async (_title, text) => {
    await using scenario = await openScenario([read('big.txt'), claim], { files: { 'big.txt': text } });
    await scenario.run();
    const shown = String(scenario.messages(1).at(-1)?.content);
    expect([Buffer.byteLength(shown) <= 32 * 1024, shown.includes('\uFFFD'), shown.isWellFormed()]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a context window that fills up', () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_each, place) => [`${place}.txt`, `${place}\n${'some words '.repeat(600)}\n`]),
  );
  const toReply = (position: number) => (position < 12 ? read(`${position}.txt`) : claim);
  /** A token for four bytes, as it is with most texts. */
  const counting: Script = ({ position, body }) => ({
    ...toReply(position),
    usage: { prompt: Math.ceil(JSON.stringify(body).length / 4), completion: 20 },
  });
  const silent: Script = ({ position }) => toReply(position);

  async function runInSmallWindow(script: Script = counting) {
    const scenario = await openScenario(script, { files });
    const { events, result } = await scenario.run({ budgets: { steps: null } }, { contextTokens: 12_000 });
    return { ...scenario, events, result, wire: toWireTexts(scenario) };
  }

  it.each([
    ['counts tokens', counting],
    ['reports no usage', silent],
  ])(
    'is emptied down to half in one go, and in between requests only grow, when the provider %s',
    async (_title, script) => {
      await using run = await runInSmallWindow(script);
      const compactions = run.events.filter(isCompaction);
      expect(run.result.outcome.kind).toBe('finished');
      expect(compactions.length).toBeGreaterThan(1);
      expect(findBreaks(run.wire).length).toBe(compactions.length);
      for (const { tokensBefore, tokensAfter } of compactions) {
        expect([tokensBefore > 9000, tokensBefore < 12_000, tokensAfter <= 6000]).toEqual([true, true, true]);
      }
      expect(run.wire.flatMap((_messages, place) => findPairingFaults(run.messages(place)))).toEqual([]);
    },
  );

  it('leaves pointers that name tool, target, size and hash, and never the result just asked for', async () => {
    await using run = await runInSmallWindow();
    const last = run.messages(-1).filter(({ role }) => role === 'tool');
    const pointer = /^\[result left out to save room: read_file 0\.txt, \d+ bytes, sha256 [0-9a-f]{12}; call the tool/;
    expect(last[0]?.content).toMatch(pointer);
    expect(last.at(-1)?.content).toMatch(/^11\.txt: 2 lines\n11\nsome words/);
    const shown = run.server.requests.slice(1).map((_request, place) => run.messages(place + 1).at(-1)?.content);
    expect(shown.every((content) => String(content).includes('some words'))).toBe(true);
  });

  it('is emptied in the same places when the run is interrupted and resumed', async () => {
    await using run = await runInSmallWindow(silent);
    const failing: Script = ({ position, repeats }) =>
      position === 7 && repeats === 0 ? { fault: { kind: 'status', status: 404 } } : toReply(position);
    await using broken = await openScenario(failing, { files });
    const { result } = await broken.run({ budgets: { steps: null } }, { contextTokens: 12_000 });
    await broken.resume(result.runId);
    const withoutFailed = toWireTexts(broken).filter((_messages, place) => place !== 7);
    expect(withoutFailed).toEqual(run.wire);
  });
});

describe('a request that is longer than the provider allows', () => {
  const overflow = JSON.stringify({
    error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
  });
  const files = Object.fromEntries(Array.from({ length: 6 }, (_each, place) => [`${place}.txt`, 'words '.repeat(900)]));

  it('is made once more with half of the context, and the run goes on', async () => {
    const script: Script = ({ position, repeats }) => {
      if (position === 5 && repeats === 0) return { fault: { kind: 'status', status: 400, body: overflow } };
      return position < 6 ? read(`${position}.txt`) : claim;
    };
    await using scenario = await openScenario(script, { files });
    const { result, events } = await scenario.run();
    expect([result.outcome.kind, events.filter(isCompaction).length]).toEqual(['finished', 1]);
    const [refused, repeated] = [5, 6].map((place) => JSON.stringify(scenario.messages(place)).length);
    expect(repeated).toBeLessThan((refused ?? 0) * 0.6);
    expect(result.usage.steps).toBe(7);
  });

  it('does not end up in an endless loop when nothing helps (anomalyco/opencode#27924)', async () => {
    const script: Script = ({ messages }) => {
      const turns = countTurns(messages);
      return turns < 4 ? read(`${turns}.txt`) : { fault: { kind: 'status', status: 400, body: overflow } };
    };
    await using scenario = await openScenario(script, { files });
    const { result } = await scenario.run({ budgets: { steps: null, retries: null } });
    expect(result.outcome).toEqual({
      kind: 'providerFailed',
      failure: 'context-overflow',
      reason: expect.stringContaining('Lower --context-tokens'),
    });
    expect(scenario.server.requests.length).toBeLessThan(12);
  });

  it('does not loop when prompt and tools alone are above the window (anomalyco/opencode#27924)', async () => {
    await using scenario = await openScenario(() => read('0.txt'), { files });
    const { result, events } = await scenario.run({ budgets: { steps: 4 } }, { contextTokens: 400 });
    expect([result.outcome.kind, scenario.server.requests.length]).toEqual(['budget', 4]);
    expect(events.filter(isCompaction).length).toBeLessThan(4);
  });
});

it('every request of a run begins with the same bytes, whatever the clock says (goruck/home-generative-agent#617)', async () => {
  await using scenario = await openScenario([read('a.txt'), { ...read('a.txt'), delayMs: 1100 }, claim], {
    files: { 'a.txt': 'a' },
  });
  await scenario.run();
  const bodies = scenario.server.requests.map(({ body }) => JSON.stringify(body));
  const heads = bodies.map((body) => body.slice(0, (bodies[0] ?? '').lastIndexOf('}],')));
  expect(new Set(heads.map((head) => head.slice(0, 2000))).size).toBe(1);
  expect(findBreaks(toWireTexts(scenario))).toEqual([]);
});
