import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeBlob, simulateRun } from '../../test/support/simulate-run.ts';
import type { LiveUpdate, RunOutcome, RunResult } from '../engine/index.ts';
import type { EventBody } from '../shared/event.ts';
import { RunId, rootAgentId, toChildId } from '../shared/id.ts';
import { createProgress } from './progress.ts';

const { events, state } = simulateRun({ random: () => 0.5, maxEvents: 1 });
const { runId } = state;
const child = toChildId(rootAgentId, 1, 0);
const place = { runId, agentId: rootAgentId, step: 1, seq: 2, at: 10_000 };

const failure = {
  type: 'model-fail',
  attempt: 1,
  failure: 'rate-limited',
  message: 'Slow down.',
  charge: 'none',
  activeMs: 0,
} as const;
const request: EventBody = {
  type: 'approval-request',
  call: 0,
  request: 'r',
  act: 'write',
  target: 'a.txt',
  because: 'by default',
};
const decision = {
  type: 'approval-decision',
  request: 'r',
  decision: 'approve',
  actor: 'person:ada@terminal',
} as const;
const remember = { scope: 'project', rule: { act: 'write', effect: 'allow', pattern: '*.txt' } } as const;
const lapse = { type: 'approval-lapse', call: 0, request: 'r', because: 'a.txt has changed' } as const;
const review = { call: 0, request: 'r', model: 'judge', activeMs: 0 } as const;
const reviewStart: EventBody = {
  type: 'review-start',
  ...review,
  reservation: { inputTokens: 1, outputTokens: 1, costUsd: null },
};
const reviewFinish: EventBody = {
  type: 'review-finish',
  ...review,
  decision: 'defer',
  reason: 'It cannot be read.',
  usage: null,
  costUsd: null,
};
const staged: EventBody = {
  type: 'call-stage',
  call: 0,
  changes: fakeBlob('c'),
  result: fakeBlob('r'),
  status: 'ok',
  durationMs: 1,
};
const notice = { type: 'policy-notice', file: '.io-studio/policy.jsonc', because: 'it has changed' } as const;
const compact: EventBody = {
  type: 'context-compact',
  before: 9,
  replaced: 3,
  tokensBefore: 900,
  tokensAfter: 400,
};
const checkFinish: EventBody = {
  type: 'check-finish',
  trigger: 'claim',
  result: 'notMet',
  summary: '1 test failed.',
  evidence: fakeBlob('e'),
  isolation: 'none',
  durationMs: 1250,
  activeMs: 0,
};

describe('progress', () => {
  it.each<[EventBody['type'], EventBody, string]>([
    ['model-start', modelStart(1), '\nstep 1\n'],
    ['model-start', modelStart(2), '  attempt 2\n'],
    ['model-fail', { ...failure, retryAtMs: 12_500 }, '  provider failed (rate-limited): Slow down.; again in 2.5 s\n'],
    ['model-fail', { ...failure, retryAtMs: null }, '  provider failed (rate-limited): Slow down.\n'],
    ['act-judged', judged('allow'), ''],
    ['act-judged', judged('deny'), '  deny: by rule\n'],
    ['act-judged', judged('deny', { dropped: true }), '  not taken over: by rule\n'],
    ['call-stage', staged, '  the command has ended, and what it left is judged\n'],
    ['approval-request', request, '  waits for an answer: write a.txt  (r)\n'],
    ['approval-decision', decision, '  approved by person:ada@terminal  (r)\n'],
    [
      'approval-decision',
      { ...decision, decision: 'deny', reason: 'No.' },
      '  denied by person:ada@terminal: No.  (r)\n',
    ],
    [
      'approval-decision',
      { ...decision, rewrite: fakeBlob('w'), remember },
      '  approved with other arguments by person:ada@terminal  (r)\n  remembered (project): allow write "*.txt"\n',
    ],
    ['approval-lapse', lapse, '  the answer to r does not count any more: a.txt has changed\n'],
    ['review-start', reviewStart, '  judge looks at r\n'],
    ['review-finish', reviewFinish, '  deferred by judge: It cannot be read.\n'],
    ['policy-notice', notice, 'note: .io-studio/policy.jsonc: it has changed\n'],
    ['call-finish', finished('a.txt', 100), '  read_file a.txt  ok, 100 B, 7 ms\n'],
    ['call-finish', finished('a.txt', 2560), '  read_file a.txt  ok, 2.5 KiB, 7 ms\n'],
    ['context-compact', compact, '  context: 3 older results left out, about 900 tokens down to 400\n'],
    ['check-start', { type: 'check-start', trigger: 'claim' }, '  checking\n'],
    ['check-start', { type: 'check-start', trigger: 'steps' }, '  checking once more: the budget for steps is spent\n'],
    ['check-finish', checkFinish, '  check failed after 1.3 s: 1 test failed.\n'],
    ['step-finish', { type: 'step-finish', activeMs: 1 }, ''],
    [
      'run-steer',
      { type: 'run-steer', actor: 'ada', content: fakeBlob('s') },
      '  told by ada, before its next request\n',
    ],
    ['run-pause', { type: 'run-pause', actor: 'ada' }, '  paused by ada\n'],
    ['run-cancel', { type: 'run-cancel', actor: 'ada' }, '  cancelled by ada\n'],
    [
      'ceiling-raise',
      { type: 'ceiling-raise', actor: 'ada', budget: 'tokens', limit: null },
      '  limit on tokens set to none by ada\n',
    ],
    [
      'call-hold',
      { type: 'call-hold', call: 0, until: { kind: 'agents', agents: [child] }, untilActiveMs: null },
      '  waits for root/1.0\n',
    ],
  ])('shows %s in its own words', (_type, body, expected) => {
    expect(show(({ event }) => event({ ...place, ...body }))).toBe(expected);
  });

  it('names whoever is not the first agent, and leaves what they say to their reports', () => {
    const theirs = { ...place, agentId: child };
    const shown = show(({ live, event }) => {
      live({ type: 'text-delta', runId, agentId: child, step: 1, text: 'Hello.' });
      event({ ...theirs, ...modelStart(1) });
      event({ ...theirs, ...finished('a.txt', 100) });
      event({ ...theirs, type: 'agent-resume', actor: 'ada', agent: child });
    });
    expect(shown).toBe(
      'root/1.0: step 1\n  root/1.0: read_file a.txt  ok, 100 B, 7 ms\n  root/1.0: let go on by ada\n',
    );
  });

  it('begins with what is run, where, by which model, and who else is at work there', () => {
    const other = RunId.parse(`run-${'1'.repeat(22)}`);
    const [start] = events;
    if (start?.type !== 'run-start') throw new Error('A simulation begins with run-start');
    expect(show(({ event }) => event({ ...start, neighbours: [other] }))).toBe(
      `${runId}\n  simulated\n  in /w, chance at simulated\nnote: ${other} is at work in the same workspace; stale writes are refused\n`,
    );
  });

  it('lets no path of the model write a line of its own', () => {
    const spoof = 'a.txt\n\nMET  all is well\u001b[2K';
    expect(show(({ event }) => event({ ...place, ...finished(spoof, 1) }))).toBe(
      '  read_file a.txt\\u{a}\\u{a}MET  all is well\\u{1b}[2K  ok, 1 B, 7 ms\n',
    );
  });

  it('shows streamed text the same, indented and harmless, wherever it was cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'а', ' ', '\n', '\r', '\u001b', '漢', '\ud83c', '\udf89') })),
        (pieces) => {
          const end = { ...place, type: 'check-start', trigger: 'claim' } as const;
          const whole = show(({ live, event }) => {
            live(toDelta(pieces.join('')));
            event(end);
          });
          const cut = show(({ live, event }) => {
            for (const piece of pieces) live(toDelta(piece));
            event(end);
          });
          expect(cut).toBe(whole);
          expect(cut).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}]|^\S|aа|аa/mu);
        },
      ),
    );
  });

  it('ends the streamed passage before a line of its own', () => {
    const shown = show(({ live, event }) => {
      live(toDelta('I look at '));
      live(toDelta('it.'));
      event({ ...place, ...judged('allow') });
      live(toDelta(' Now.'));
      event({ ...place, ...finished('a.txt', 1) });
    });
    expect(shown).toBe('  I look at it. Now.\n  read_file a.txt  ok, 1 B, 7 ms\n');
  });

  it('shows neither reasoning nor arguments while they come', () => {
    const { text: _text, ...rest } = toDelta('');
    const updates: LiveUpdate[] = [
      { ...rest, type: 'reasoning-delta', text: 'hm' },
      { ...rest, type: 'call-delta', call: 0, tool: 'read_file', characters: 9 },
    ];
    expect(show(({ live }) => updates.forEach(live))).toBe('');
  });

  it.each<[RunOutcome, boolean]>([
    [{ kind: 'met', checked: true }, false],
    [{ kind: 'notMet', reason: 'No.' }, true],
    [{ kind: 'notEvaluated', reason: 'No.' }, true],
    [{ kind: 'budget', which: 'steps', reason: 'Spent.' }, true],
    [{ kind: 'cancelled', by: 'a person' }, false],
    [{ kind: 'interrupted', signal: 'SIGINT' }, false],
  ])('ends %j with the evidence it rests on: %s', async (outcome, quoted) => {
    const lines = await endLines(outcome, 'first\n\u001b[31mlast\n');
    expect(lines.slice(2, 4).join('\n') === '  | first\n  | \\u{1b}[31mlast').toBe(quoted);
    expect(lines.some((line) => line.startsWith('  |'))).toBe(quoted);
  });

  it('shows the end of long evidence, which is where tools say what is wrong', async () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line + 1}`).join('\n');
    const quoted = (await endLines({ kind: 'notMet', reason: 'No.' }, text)).filter((line) => line.startsWith('  |'));
    expect([quoted.length, quoted[0], quoted.at(-1)]).toEqual([40, '  | line 61', '  | line 100']);
  });
});

type View = ReturnType<typeof createProgress>;

function show(act: (view: View) => void): string {
  const { view, written } = openView();
  act(view);
  return written();
}

async function endLines(outcome: RunOutcome, evidence: string): Promise<string[]> {
  const { view, written } = openView();
  const result: RunResult = {
    runId,
    outcome,
    exitCode: 1,
    evidence: { result: 'notMet', summary: 's', text: evidence },
    usage: {
      ...state.ledger.settled,
      costUsd: null,
      unknown: { requests: 0, tokens: 0, costUsd: null },
      steps: 0,
      activeMs: 0,
    },
    denied: [],
  };
  await view.result(result);
  return written().split('\n');
}

function openView() {
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  return { view: createProgress(write, async () => state), written: () => text };
}

const toDelta = (text: string) =>
  ({ type: 'text-delta', runId, agentId: rootAgentId, step: 1, text }) satisfies LiveUpdate;

function modelStart(attempt: number): EventBody {
  const reservation = { inputTokens: 1, outputTokens: 1, costUsd: null };
  return { type: 'model-start', attempt, reservation, maxOutputTokens: 1, activeMs: 0 };
}

function judged(effect: 'allow' | 'deny', more: { readonly dropped?: true } = {}): EventBody {
  return {
    type: 'act-judged',
    call: 0,
    act: 'write',
    target: 'a.txt',
    effect,
    rule: null,
    layer: 'default',
    ...(effect === 'allow' ? {} : { because: 'by rule' }),
    ...more,
  };
}

function finished(target: string, bytes: number): EventBody {
  return {
    type: 'call-finish',
    call: 0,
    tool: 'read_file',
    status: 'ok',
    target,
    result: fakeBlob('r', bytes),
    seen: [],
    changed: false,
    durationMs: 7,
  };
}
