// For people: the run as it happens, in plain lines that read well without colour.
import type { Engine, JournalEvent, RunOutcome, RunResult } from '../engine/index.ts';
import type { EventOf } from '../shared/event.ts';
import { rootAgentId } from '../shared/id.ts';
import { toVisible } from '../shared/to-visible.ts';
import { decisionWords } from './decided-lines.ts';
import { formatBytes } from './describe-content.ts';
import { createIndentedText } from './indented-text.ts';
import { recoveryWords } from './recovery-lines.ts';
import type { RunView } from './run-view.ts';
import { toVerdictLines } from './verdict-lines.ts';
import { createWordStream } from './word-stream.ts';

export function createProgress(write: (text: string) => void, readRun: Engine['readRun']): RunView {
  const out = createIndentedText(write);
  const words = createWordStream((text) => out.text(toVisible(text, { multiline: true })));
  const endPassage = () => {
    words.end();
    out.endPassage();
  };
  return {
    live(update) {
      // Several may speak at once; what they leave is told when they end.
      if (update.type === 'text-delta' && update.agentId === rootAgentId) words.text(update.text.replaceAll('\r', ''));
    },
    event(event) {
      const lines = toLinesOf(event);
      if (lines.length > 0 || event.type === 'model-finish') endPassage();
      for (const line of lines) out.line(toVisible(line));
    },
    async result({ runId, outcome, evidence, denied }: RunResult) {
      endPassage();
      const state = await readRun(runId);
      const verdict = toVerdictLines({ ...state, outcome }, denied);
      if (evidence !== null && restsOnCheck(outcome)) verdict.splice(2, 0, ...quote(evidence.text));
      for (const line of verdict) out.line(line);
    },
  };
}

/** Whether the run ended on what its last check found: then its evidence says why. */
const restsOnCheck = ({ kind }: RunOutcome): boolean =>
  kind === 'notMet' || kind === 'notEvaluated' || kind === 'stalled' || kind === 'budget';

/** Whoever is not the first agent is named. */
function toLinesOf(event: JournalEvent): string[] {
  const lines = toLines(event);
  if (event.agentId === rootAgentId) return lines;
  return lines.filter((line) => line !== '').map((line) => line.replace(/^ */, (head) => `${head}${event.agentId}: `));
}

/** The lines an event is worth to somebody who watches; none for what only the trace needs. */
function toLines(event: JournalEvent): string[] {
  switch (event.type) {
    case 'run-start':
      return describeStart(event);
    case 'run-resume':
      return [`going on with ${event.runId}  (${event.provider.model} at ${event.provider.name})`];
    case 'run-fork':
      return [`  forked from step ${event.fromStep} of ${event.from}`];
    case 'model-start':
      return event.attempt === 1 ? ['', `step ${event.step}`] : [`  attempt ${event.attempt}`];
    case 'model-fail':
      return [`  provider failed (${event.failure}): ${event.message}${describeRetry(event)}`];
    case 'act-judged':
      if (event.because === undefined) return [];
      return [`  ${event.dropped ? 'not taken over' : event.effect}: ${event.because}`];
    case 'approval-request':
      return [`  waits for an answer: ${event.act} ${event.target}  (${event.request})`];
    case 'approval-decision':
      return describeDecision(event);
    case 'recovery-request':
      return [
        `  what became of ${event.tool} ${event.target} cannot be known: ${event.because}`,
        `  decide:   io-studio recover ${event.request} retry|completed|abort`,
      ];
    case 'recovery-decision':
      return [`  ${recoveryWords[event.decision]} by ${event.actor}  (${event.request ?? ''})`];
    case 'approval-lapse':
      return [`  the answer to ${event.request} does not count any more: ${event.because}`];
    case 'review-start':
      return [`  ${event.model} looks at ${event.request}`];
    case 'review-finish':
      return [`  ${decisionWords[event.decision]} by ${event.model}: ${event.reason}`];
    case 'call-stage':
      return ['  the command has ended, and what it left is judged'];
    case 'sandbox-cap':
      return [`  ended at its cap on ${event.cap}: ${event.observed} of ${event.limit} ${event.unit}`];
    case 'sandbox-net':
    case 'fetch-hop':
      return event.allowed ? [] : [`  not let through to ${event.target}: ${event.because ?? ''}`];
    case 'process-exit':
      return describeProcessExit(event);
    case 'policy-notice':
      return [`note: ${event.file}: ${event.because}`];
    case 'call-finish':
      return [
        `  ${`${event.tool} ${event.target}`.trimEnd()}  ${event.status}, ${formatBytes(event.result.bytes)}, ${event.durationMs} ms`,
      ];
    case 'agent-spawn':
      return [`  spawns ${event.child}: ${event.title}`];
    case 'agent-finish':
      return [`  ended (${event.outcome.kind})`];
    case 'call-hold':
      return [`  waits for ${event.until.kind === 'mail' ? 'messages' : event.until.agents.join(' ')}`];
    case 'run-steer':
      return [`  told by ${event.actor}, before its next request`];
    case 'run-pause':
      return [`  paused by ${event.actor}`];
    case 'agent-resume':
      return [`  let go on by ${event.actor}`];
    case 'run-cancel':
      return [`  cancelled by ${event.actor}`];
    case 'ceiling-raise':
      return [`  limit on ${event.budget} set to ${event.limit ?? 'none'} by ${event.actor}`];
    case 'context-compact':
      return [
        `  context: ${event.replaced} older results left out, about ${event.tokensBefore} tokens down to ${event.tokensAfter}`,
      ];
    case 'check-start':
      return [
        event.trigger === 'claim' ? '  checking' : `  checking once more: the budget for ${event.trigger} is spent`,
      ];
    case 'check-finish':
      return [`  check ${checkWords[event.result]} after ${(event.durationMs / 1000).toFixed(1)} s: ${event.summary}`];
    default:
      return [];
  }
}

/** What may not be in the workspace, and where it lies now: nobody else tells the person, whose own file it may be. */
function describeProcessExit({ process, changes, shelf, access }: EventOf<'process-exit'>): string[] {
  if (access === 'read') return [];
  const refused = changes.filter(({ because }) => because !== undefined);
  const words = { aside: 'put aside', restored: 'made again what it was', left: 'left there', kept: 'kept' } as const;
  return [
    `  ${process} has ended: ${changes.length} paths are different since it began`,
    ...refused.map(({ path, became, because }) => `  ${words[became]}: ${path}: ${because ?? ''}`),
    ...(shelf === undefined ? [] : [`  what was put aside lies in ${shelf}`]),
  ];
}

const checkWords = { met: 'passed', notMet: 'failed', notEvaluated: 'could not be evaluated' } as const;

function describeStart({ runId, title, workspace, provider, neighbours }: EventOf<'run-start'>): string[] {
  const also = neighbours.map(
    (neighbour) => `note: ${neighbour} is at work in the same workspace; stale writes are refused`,
  );
  return [runId, `  ${title}`, `  in ${workspace.path}, ${provider.model} at ${provider.name}`, ...also];
}

function describeDecision({
  decision,
  request,
  actor,
  reason,
  rewrite,
  remember,
}: EventOf<'approval-decision'>): string[] {
  const form = rewrite === undefined ? '' : ' with other arguments';
  const why = reason === undefined ? '' : `: ${reason}`;
  const lines = [`  ${decisionWords[decision]}${form} by ${actor}${why}  (${request})`];
  if (remember === undefined) return lines;
  const { scope, rule } = remember;
  return [...lines, `  remembered (${scope}): ${rule.effect} ${rule.act} "${rule.pattern}"`];
}

function describeRetry({ retryAtMs, at }: EventOf<'model-fail'>): string {
  if (retryAtMs === null) return '';
  return `; again in ${(Math.max(0, retryAtMs - at) / 1000).toFixed(1)} s`;
}

const quotedLines = 40;

/** The end of what a check found, which is where tools say what is wrong. */
function quote(text: string): string[] {
  const lines = toVisible(text.replaceAll('\r\n', '\n'), { multiline: true }).trimEnd().split('\n');
  return lines.slice(-quotedLines).map((line) => `  | ${line}`);
}
