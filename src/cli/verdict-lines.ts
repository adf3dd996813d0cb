// The end of a run in a few lines: how it ended, on what evidence, at what cost, and what can be done next.
import type { DeniedCall, RunState } from '../engine/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import { type RunId, rootAgentId } from '../shared/id.ts';
import type { RunOutcome } from '../shared/outcome.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

/** `denied`: the calls that were refused, where they are known. */
export function toVerdictLines(state: RunState, denied: readonly DeniedCall[] = []): string[] {
  const { outcome } = state;
  if (outcome === null) return ['', `NOT OVER  nobody has ended this run; go on with: ${toGoOn(state)}`];
  return [
    '',
    `${toHeading(outcome)}  ${toVisible(toReason(outcome, state))}`,
    `  ${describeSpend(state)}`,
    ...toCutOff(state),
    ...toDenied(denied),
    ...toNextSteps(outcome, state),
  ];
}

function toCutOff({ runId, rewinding }: RunState): string[] {
  if (rewinding === null) return [];
  return [`  cut off:  a rewind of it; "io-studio rewind ${runId} --undo" or a resume of it finishes that first`];
}

const shownDenials = 10;

function toDenied(denied: readonly DeniedCall[]): string[] {
  const lines = denied
    .slice(0, shownDenials)
    .map(
      ({ step, tool, target, because }) => `  denied:   ${toVisible(`${tool} ${target} in step ${step}: ${because}`)}`,
    );
  const more = denied.length - lines.length;
  return more > 0 ? [...lines, `            and ${more} more`] : lines;
}

/** Tokens, money and time in one line. */
export function describeSpend({ ledger, agents, activeMs }: RunState): string {
  const { settled, costUsd, unknown } = ledger;
  const steps = agents[rootAgentId]?.step ?? 0;
  const tokens = `${formatCount(settled.inputTokens)} tokens in, ${formatCount(settled.outputTokens)} out`;
  const money = costUsd === null ? 'unpriced' : `$${costUsd.toFixed(4)}`;
  const doubt = unknown.requests === 0 ? '' : `, ${unknown.requests} unanswered and perhaps billed`;
  return `${counted(steps, 'step')}, ${tokens}${doubt}, ${money}, ${(activeMs / 1000).toFixed(1)} s`;
}

/** Thousands apart. By hand, because a first look into the tables of `Intl` would hold up the exit by 30 ms. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

function toHeading(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case 'met':
      return 'MET';
    case 'finished':
      return 'FINISHED';
    case 'notMet':
      return 'NOT MET';
    case 'stalled':
      return 'STALLED';
    case 'notEvaluated':
      return 'NOT EVALUATED';
    case 'invalid':
      return 'INVALID';
    case 'awaitingApproval':
    case 'awaitingPlan':
    case 'awaitingRecovery':
      return 'WAITING';
    case 'paused':
      return 'PAUSED';
    case 'refused':
      return 'REFUSED';
    case 'budget':
      return 'BUDGET SPENT';
    case 'providerFailed':
      return 'PROVIDER FAILED';
    case 'sandboxUnavailable':
      return 'NO SANDBOX';
    case 'storeFailed':
      return 'STORE FAILED';
    case 'cancelled':
      return 'CANCELLED';
    case 'interrupted':
      return 'INTERRUPTED';
    case 'rewound':
      return 'REWOUND';
    default:
      return assertNever(outcome);
  }
}

function toReason(outcome: RunOutcome, { lastCheck }: RunState): string {
  switch (outcome.kind) {
    case 'met':
      return lastCheck?.summary ?? 'The check held.';
    case 'finished':
      return 'The model ended its work; the contract names no check, so nothing was checked.';
    case 'awaitingApproval':
      return `${outcome.requests.length} ${outcome.requests.length === 1 ? 'act waits' : 'acts wait'} for a yes or no.`;
    case 'awaitingPlan':
      return 'A plan waits for a person.';
    case 'awaitingRecovery':
      return `It must be decided what became of ${counted(outcome.calls.length, 'interrupted call')}.`;
    case 'paused':
      return 'A person paused the run.';
    case 'cancelled':
      return `Cancelled by ${outcome.by}.`;
    case 'interrupted':
      return `Stopped by ${outcome.signal}; nothing is lost.`;
    case 'rewound':
      return `Taken back to the end of step ${outcome.step}; it goes on from there when it is resumed.`;
    case 'budget':
      return lastCheck === null ? outcome.reason : `${outcome.reason} ${lastCheck.summary}`;
    default:
      return outcome.reason;
  }
}

/** A run that came out of a file is driven by nobody, and asks nobody anything, before it is adopted. */
function toGoOn({ runId, imported }: RunState): string {
  return imported === null ? `io-studio resume ${runId}` : `io-studio store adopt ${runId} --workspace DIR`;
}

function toNextSteps(outcome: RunOutcome, state: RunState): string[] {
  const { runId, imported } = state;
  const trace = `  explain:  io-studio trace ${runId}`;
  const goOn = `  go on:    ${toGoOn(state)}`;
  switch (outcome.kind) {
    case 'awaitingApproval':
    case 'awaitingRecovery':
    case 'awaitingPlan':
      return imported === null ? [...toAsked(runId, outcome), goOn, trace] : [goOn, trace];
    case 'notEvaluated':
    case 'providerFailed':
    case 'sandboxUnavailable':
    case 'storeFailed':
    case 'interrupted':
    case 'paused':
    case 'rewound':
      return [goOn, trace];
    default:
      return [trace];
  }
}

type Waiting = Extract<RunOutcome, { kind: 'awaitingApproval' | 'awaitingRecovery' | 'awaitingPlan' }>;

function toAsked(runId: RunId, outcome: Waiting): string[] {
  switch (outcome.kind) {
    case 'awaitingApproval':
      return toQuestions(runId, outcome.requests);
    case 'awaitingRecovery':
      return toInterrupted(runId, outcome.calls);
    case 'awaitingPlan':
      return toQuestions(runId, []);
  }
}

function toInterrupted(runId: RunId, [call, ...others]: readonly string[]): string[] {
  const only = call === undefined || others.length > 0 ? 'CALL' : toVisible(call);
  return [
    `  look:     io-studio recoveries --run ${runId}`,
    `  decide:   io-studio recover ${only} retry|completed|abort`,
  ];
}

/** How the questions are looked at and answered; by name where there is but one. */
function toQuestions(runId: RunId, [request, ...others]: readonly string[]): string[] {
  const only = request === undefined || others.length > 0 ? null : toVisible(request);
  return [
    `  look:     io-studio approvals ${only ?? `--run ${runId}`}`,
    `  answer:   io-studio decide ${only ?? 'REQUEST'} approve|deny`,
  ];
}
