import { describe, expect, it } from 'vitest';
import { fakeRecovery, fakeRequest, fakeRunId } from '../../test/cli/fake-request.ts';
import { openScriptedTerminal, type ScriptedTerminalOptions } from '../../test/cli/scripted-terminal.ts';
import type { ApprovalRequest, DecideParams, JournalEvent, RecoverParams, RecoveryRequest } from '../engine/index.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { EventBody } from '../shared/event.ts';
import { BlobHash, rootAgentId } from '../shared/id.ts';
import { createHeldOutput } from './held-output.ts';
import { createTerminalApprover } from './terminal-approver.ts';

const actor = 'person:ada@terminal';
const first = fakeRequest();
const second = fakeRequest({ request: `${fakeRunId}:root:3:1`, target: 'src/b.ts', digest: 'e'.repeat(64) });

describe('the approver at a terminal', () => {
  it('asks what waits, one after the other, and answers just what was shown', async () => {
    using scene = open(['y', 'n', 'No.'], [first, second]);
    await scene.untilDecided(2);
    await scene.close();
    expect(scene.decided).toEqual([
      { request: first.request, actor, digest: first.digest, decision: 'approve' },
      { request: second.request, actor, digest: second.digest, decision: 'deny', reason: 'No.' },
    ]);
    expect(scene.shown()).toContain('1 more after this one:\n  write src/b.ts\n');
    expect(scene.shown()).toContain(`approved ${first.request}\n`);
  });

  it('asks what comes while it waits', async () => {
    using scene = open(['y'], []);
    scene.raise(first);
    await scene.untilDecided(1);
    await scene.close();
    expect(scene.decided.map(({ decision }) => decision)).toEqual(['approve']);
  });

  it('does not ask again what was put off', async () => {
    using scene = open(['d', 'y'], [first]);
    await scene.untilDecided(1);
    scene.raise(second);
    await scene.untilDecided(2);
    await scene.close();
    expect(scene.decided.map(({ request, decision }) => [request, decision])).toEqual([
      [first.request, 'defer'],
      [second.request, 'approve'],
    ]);
  });

  it('puts everything off once the input has ended, and approves nothing', async () => {
    using scene = open([null], [first, second]);
    await scene.untilDecided(2);
    await scene.close();
    expect(scene.decided.map(({ decision }) => decision)).toEqual(['defer', 'defer']);
  });

  it('asks only when the end of a long content was shown', async () => {
    const text = Array.from({ length: 300 }, (_each, line) => `+${line}\n`).join('');
    const long = fakeRequest({ details: { content: { kind: 'diff', text } } });
    using scene = open(['y', ...Array<string>(20).fill(''), 'y'], [long], { rows: 20 });
    await scene.untilDecided(1);
    await scene.close();
    const shown = scene.shown();
    expect(shown.indexOf('  | +299\n')).toBeGreaterThan(0);
    expect(shown.indexOf('  | +299\n')).toBeLessThan(shown.indexOf('[y]es'));
    expect(scene.decided[0]?.digest).toBe(long.digest);
  });

  it('takes a question back that somebody else has answered, says who, and goes on', async () => {
    using scene = open([], [first]);
    await scene.untilAsked();
    scene.settle(first.request);
    scene.event({ type: 'approval-decision', request: first.request, decision: 'deny', actor: 'person:bob@desktop' });
    await scene.untilWritten('Already denied by person:bob@desktop.\n');
    await scene.close();
    expect(scene.decided).toEqual([]);
  });

  it('takes a question back that has lapsed', async () => {
    using scene = open([], [first]);
    await scene.untilAsked();
    scene.settle(first.request);
    scene.event({ type: 'approval-lapse', call: 0, request: first.request, because: 'src/a.ts has changed' });
    await scene.untilWritten('No longer asked: src/a.ts has changed\n');
    await scene.close();
    expect(scene.decided).toEqual([]);
  });

  it.each([
    ['rewrite-invalid', 2],
    ['remember-refused', 2],
    ['approval-answered', 1],
    ['approval-changed', 1],
    ['approval-unknown', 1],
    ['decision-refused', 1],
  ] as const)('says so when an answer is refused with %s, and asks as often as makes sense', async (code, times) => {
    const refusal = new EngineError(code, 'Somebody was first.', { remedy: 'See for yourself.' });
    using scene = open(['y', 'y'], [first], { refusals: [refusal] });
    await scene.untilDecided(times);
    await scene.close();
    expect(scene.decided.length).toBe(times);
    expect(scene.shown()).toContain('Somebody was first.\nSee for yourself.\n');
  });

  it('asks what became of interrupted calls too, in the order in which things were asked', async () => {
    const recovery = fakeRecovery({ raisedAt: -1 });
    using scene = open(['c', '201 Created', 'y'], [first], { recoveries: [recovery] });
    await scene.untilDecided(1);
    await scene.close();
    expect(scene.recovered).toEqual([
      { request: recovery.request, actor, decision: 'completed', result: '201 Created' },
    ]);
    expect(scene.decided).toEqual([{ request: first.request, actor, digest: first.digest, decision: 'approve' }]);
    expect(scene.shown()).toContain('1 more after this one:\n  write src/a.ts\n');
    expect(scene.shown()).toContain(`taken as carried out: ${recovery.request}\n`);
  });

  it('names an interrupted call among what comes after a question', async () => {
    using scene = open(['y', 'd'], [first], { recoveries: [fakeRecovery({ raisedAt: 1 })] });
    await scene.untilWritten('left undecided: ');
    await scene.close();
    expect(scene.shown()).toContain('1 more after this one:\n  what became of fetch_url http://a.example/\n');
    expect(scene.recovered.map(({ decision }) => decision)).toEqual(['defer']);
  });

  it('asks about a call that is found to have been interrupted while it waits', async () => {
    using scene = open(['r'], []);
    scene.raiseRecovery(fakeRecovery());
    await scene.untilWritten('to be started once more: ');
    await scene.close();
    expect(scene.recovered.map(({ decision }) => decision)).toEqual(['retry']);
  });

  it('takes the question about a call back that somebody else has decided about, and says who', async () => {
    const recovery = fakeRecovery();
    using scene = open([], [], { recoveries: [recovery] });
    await scene.untilAsked();
    scene.settle(recovery.request);
    const { request } = recovery;
    scene.event({ type: 'recovery-decision', call: 0, request, decision: 'abort', actor: 'person:bob@desktop' });
    await scene.untilWritten('Already decided by person:bob@desktop: not carried out again.\n');
    await scene.close();
    expect(scene.recovered).toEqual([]);
  });

  it.each(['recovery-answered', 'recovery-unknown', 'decision-refused'] as const)(
    'says so when a decision about a call is refused with %s, and does not ask again',
    async (code) => {
      const refusal = new EngineError(code, 'Somebody was first.', { remedy: 'See for yourself.' });
      using scene = open(['r', 'r'], [], { recoveries: [fakeRecovery()], refusals: [refusal] });
      await scene.untilWritten('Somebody was first.\nSee for yourself.\n');
      await scene.close();
      expect(scene.recovered.length).toBe(1);
    },
  );

  it('holds up what else is written while a question stands', async () => {
    using scene = open([], [first]);
    await scene.untilAsked();
    scene.output.write('model says\n');
    expect(scene.shown()).not.toContain('model says');
    await scene.close();
    expect(scene.shown()).toMatch(/\[d\]efer: \nmodel says\n$/);
  });

  it('fails when the engine cannot tell or keep anything, and lets go of the output', async () => {
    const refusals = [new EngineError('store-full', 'Full.', { remedy: 'Make room.' })];
    using scene = open(['y'], [first], { refusals });
    await expect(scene.approver.done).rejects.toThrow('Full.');
    scene.output.write('after\n');
    expect(scene.shown()).toContain('after\n');
  });
});

interface SceneOptions extends ScriptedTerminalOptions {
  readonly recoveries?: readonly RecoveryRequest[];
  /** What the first answers are refused with. */
  readonly refusals?: readonly EngineError[];
}

/** An engine that keeps its questions in memory. */
function open(
  script: readonly (string | null)[],
  requests: readonly ApprovalRequest[],
  { recoveries = [], refusals = [], ...size }: SceneOptions = {},
) {
  const scripted = openScriptedTerminal(script, size);
  const waiting = new Map(requests.map((request) => [request.request, request]));
  const unsettled = new Map(recoveries.map((recovery) => [recovery.request, recovery]));
  const refusing = [...refusals];
  const decided: DecideParams[] = [];
  const recovered: RecoverParams[] = [];
  const looking = new Set<() => void>();
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (isSo() && looking.delete(look)) resolve();
      };
      looking.add(look);
      look();
    });
  const output = createHeldOutput(scripted.terminal.write);
  const terminal = {
    ...scripted.terminal,
    rows: size.rows ?? 100,
    columns: 200,
    write(text: string) {
      scripted.terminal.write(text);
      for (const look of looking) look();
    },
  };
  const approver = createTerminalApprover({
    runId: fakeRunId,
    terminal,
    output,
    actor,
    engine: {
      listApprovals: async () => [...waiting.values()],
      listRecoveries: async () => [...unsettled.values()],
      previewRemember: async () => ({ matched: [], matchedCount: 0, newlyAllowed: 0, origin: 'run' }),
      async decide(params) {
        decided.push(params);
        for (const look of looking) look();
        const refusal = refusing.shift();
        if (refusal !== undefined) throw refusal;
        if (params.decision !== 'defer') waiting.delete(params.request);
        return { request: params.request, runId: fakeRunId, decision: params.decision, remembered: null };
      },
      async recover(params) {
        recovered.push(params);
        const refusal = refusing.shift();
        if (refusal !== undefined) throw refusal;
        if (params.decision !== 'defer') unsettled.delete(params.request);
        return { request: params.request, runId: fakeRunId, decision: params.decision };
      },
    },
  });
  const event = (body: EventBody) =>
    approver.event({ runId: fakeRunId, agentId: rootAgentId, step: 3, seq: 1, at: 0, ...body } satisfies JournalEvent);
  return {
    approver,
    output,
    decided,
    recovered,
    event,
    shown: scripted.shown,
    untilAsked: scripted.untilAsked,
    untilDecided: (count: number) => until(() => decided.length >= count),
    untilWritten: (text: string) => until(() => scripted.shown().includes(text)),
    raise(request: ApprovalRequest) {
      waiting.set(request.request, request);
      const { call, request: id, act, target, because } = request;
      event({ type: 'approval-request', call, request: id, act, target, because });
    },
    raiseRecovery(recovery: RecoveryRequest) {
      unsettled.set(recovery.request, recovery);
      const { call, request, tool, target, because } = recovery;
      const text = { hash: BlobHash.parse('a'.repeat(64)), bytes: 2, origin: 'model' } as const;
      event({ type: 'recovery-request', call, request, tool, target, because, arguments: text });
    },
    settle: (request: string) => void (waiting.delete(request) || unsettled.delete(request)),
    async close() {
      approver.close();
      await approver.done;
    },
    [Symbol.dispose]: () => scripted[Symbol.dispose](),
  };
}
