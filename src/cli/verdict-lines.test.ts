import { describe, expect, it } from 'vitest';
import { fakeBlob, simulateRun } from '../../test/support/simulate-run.ts';
import { rootAgentId } from '../shared/id.ts';
import type { RunOutcome } from '../shared/outcome.ts';
import type { RunState } from '../shared/run-state.ts';
import { describeSpend, toVerdictLines } from './verdict-lines.ts';

const { state: started } = simulateRun({ random: () => 0.5, maxEvents: 1 });
const root = started.agents[rootAgentId];
if (root === undefined) throw new Error('A run has a root');
const run: RunState = {
  ...started,
  activeMs: 12_345,
  agents: { [rootAgentId]: { ...root, step: 3 } },
  ledger: {
    settled: { inputTokens: 12_000, outputTokens: 345, cachedInputTokens: 0 },
    costUsd: 0.01234,
    unknown: { requests: 0, tokens: 0, costUsd: 0 },
    outstanding: { requests: 0, tokens: 0, costUsd: 0 },
  },
};
const { runId } = run;
const spend = '  3 steps, 12,000 tokens in, 345 out, $0.0123, 12.3 s';
const goOn = `  go on:    io-studio resume ${runId}`;
const questions = [
  `  look:     io-studio approvals --run ${runId}`,
  '  answer:   io-studio decide REQUEST approve|deny',
  goOn,
];
const explain = `  explain:  io-studio trace ${runId}`;
const checked = { result: 'notMet', summary: '1 test failed.', evidence: fakeBlob('evidence') } as const;

const endings: readonly (readonly [outcome: RunOutcome, verdict: string, next: readonly string[]])[] = [
  [{ kind: 'met', checked: true }, 'MET  The check held.', []],
  [
    { kind: 'finished', checked: false },
    'FINISHED  The model ended its work; the contract names no check, so nothing was checked.',
    [],
  ],
  [{ kind: 'notMet', reason: 'No.' }, 'NOT MET  No.', []],
  [{ kind: 'stalled', reason: 'No way on.' }, 'STALLED  No way on.', []],
  [{ kind: 'notEvaluated', reason: 'No cargo.' }, 'NOT EVALUATED  No cargo.', [goOn]],
  [{ kind: 'invalid', reason: 'No goal.' }, 'INVALID  No goal.', []],
  [
    { kind: 'awaitingApproval', requests: ['q'] },
    'WAITING  1 act waits for a yes or no.',
    ['  look:     io-studio approvals q', '  answer:   io-studio decide q approve|deny', goOn],
  ],
  [{ kind: 'awaitingApproval', requests: ['q', 'r'] }, 'WAITING  2 acts wait for a yes or no.', questions],
  [{ kind: 'awaitingPlan' }, 'WAITING  A plan waits for a person.', questions],
  [
    { kind: 'awaitingRecovery', calls: ['c', 'd'] },
    'WAITING  It must be decided what became of 2 interrupted calls.',
    [
      `  look:     io-studio recoveries --run ${run.runId}`,
      '  decide:   io-studio recover CALL retry|completed|abort',
      goOn,
    ],
  ],
  [{ kind: 'paused' }, 'PAUSED  A person paused the run.', [goOn]],
  [{ kind: 'refused', reason: 'Not allowed.' }, 'REFUSED  Not allowed.', []],
  [{ kind: 'budget', which: 'steps', reason: 'All 12 steps are used.' }, 'BUDGET SPENT  All 12 steps are used.', []],
  [{ kind: 'providerFailed', failure: 'server', reason: 'HTTP 500' }, 'PROVIDER FAILED  HTTP 500', [goOn]],
  [{ kind: 'sandboxUnavailable', reason: 'None.' }, 'NO SANDBOX  None.', [goOn]],
  [{ kind: 'storeFailed', reason: 'Disk full.' }, 'STORE FAILED  Disk full.', [goOn]],
  [{ kind: 'cancelled', by: 'a person' }, 'CANCELLED  Cancelled by a person.', []],
  [{ kind: 'interrupted', signal: 'SIGINT' }, 'INTERRUPTED  Stopped by SIGINT; nothing is lost.', [goOn]],
];

describe('toVerdictLines', () => {
  it.each(endings)('says of %j how it ended, what it cost and what comes next', (outcome, verdict, next) => {
    expect(toVerdictLines({ ...run, outcome })).toEqual(['', verdict, spend, ...next, explain]);
  });

  it('names the first ten calls that were refused, and how many more there were', () => {
    const denied = Array.from({ length: 12 }, (_each, call) => ({
      step: 2,
      call,
      tool: 'write_file',
      target: `${call}\n.env`,
      because: 'a secret',
    }));
    const lines = toVerdictLines({ ...run, outcome: { kind: 'finished', checked: false } }, denied);
    expect([lines.length, lines[3], lines[13]]).toEqual([
      15,
      '  denied:   write_file 0\\u{a}.env in step 2: a secret',
      '            and 2 more',
    ]);
    expect(toVerdictLines({ ...run, outcome: { kind: 'finished', checked: false } }, denied.slice(0, 1))[3]).toBe(
      lines[3],
    );
  });

  it('says what the last check found of a met contract and of a spent budget', () => {
    const found = (outcome: RunOutcome) => toVerdictLines({ ...run, outcome, lastCheck: checked })[1];
    expect([
      found({ kind: 'met', checked: true }),
      found({ kind: 'budget', which: 'steps', reason: 'All 12 steps are used.' }),
    ]).toEqual(['MET  1 test failed.', 'BUDGET SPENT  All 12 steps are used. 1 test failed.']);
  });

  it('shows a reason on one line and harmless, whatever a server said', () => {
    const outcome: RunOutcome = { kind: 'providerFailed', failure: 'server', reason: 'no\n\nMET  \u001b[32mfine' };
    expect(toVerdictLines({ ...run, outcome })[1]).toBe('PROVIDER FAILED  no\\u{a}\\u{a}MET  \\u{1b}[32mfine');
  });

  it.each<RunOutcome | null>([
    null,
    { kind: 'awaitingApproval', requests: ['q'] },
    { kind: 'awaitingPlan' },
    { kind: 'awaitingRecovery', calls: ['c'] },
    { kind: 'rewound', step: 1 },
  ])('says of an imported run that stands at %j that it has to be adopted, and of nothing to answer', (outcome) => {
    const lines = toVerdictLines({ ...run, outcome, imported: { at: 1, source: 'run.ioexport' } });
    expect(lines.join('\n')).toContain(`io-studio store adopt ${runId} --workspace DIR`);
    expect(lines.join('\n')).not.toMatch(/io-studio (resume|approvals|decide|recoveries|recover)/);
  });

  it('says of a run without an outcome how to go on', () => {
    expect(toVerdictLines(run)).toEqual([
      '',
      `NOT OVER  nobody has ended this run; go on with: io-studio resume ${runId}`,
    ]);
  });
});

describe('describeSpend', () => {
  it('never shows an unknown price as nothing, nor hides what was perhaps billed', () => {
    const doubtful: RunState = {
      ...run,
      agents: { [rootAgentId]: { ...root, step: 1 } },
      ledger: { ...run.ledger, costUsd: null, unknown: { requests: 2, tokens: 9, costUsd: null } },
    };
    expect(describeSpend(doubtful)).toBe(
      '1 step, 12,000 tokens in, 345 out, 2 unanswered and perhaps billed, unpriced, 12.3 s',
    );
  });
});
