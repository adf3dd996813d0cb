// The trace projection: one line of plain words for each event.
import { assertNever } from '../../shared/assert-never.ts';
import type { EventBody } from '../../shared/event.ts';

const maxSummaryCharacters = 160;

/** What happened, on one line and without the event's place or time. */
export function toTraceRow(body: EventBody): string {
  const line = toSummary(body).replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxSummaryCharacters ? line : `${line.slice(0, maxSummaryCharacters - 1)}…`;
}

function toSummary(body: EventBody): string {
  switch (body.type) {
    case 'run-start':
      return body.title;
    case 'run-resume':
      return `resumed with ${body.provider.model}`;
    case 'run-finish':
      return body.outcome.kind;
    case 'run-import':
      return `imported from ${body.source}`;
    case 'run-adopt':
      return `${body.actor} adopts it for ${body.workspace.path}`;
    case 'model-start':
      return `attempt ${body.attempt}`;
    case 'model-finish':
      return `${body.finish}, ${body.calls.length} calls, ${body.usage.inputTokens + body.usage.outputTokens} tokens`;
    case 'model-fail':
      return `${body.failure}: ${body.message}`;
    case 'act-judged':
      return `${body.effect} ${body.act} ${body.target}`;
    case 'approval-request':
      return `asks for ${body.act} ${body.target}`;
    case 'approval-lapse':
      return `asks again: ${body.because}`;
    case 'review-start':
      return `${body.model} reviews`;
    case 'review-finish':
      return `${body.model}: ${body.decision}, ${body.reason}`;
    case 'policy-notice':
      return `${body.file}: ${body.because}`;
    case 'approval-decision':
      return `${body.actor}: ${body.decision}`;
    case 'recovery-decision':
      return `${body.actor}: ${body.decision}`;
    case 'recovery-request':
      return `asks what became of ${body.tool} ${body.target}`;
    case 'call-start':
      return body.tool;
    case 'sandbox-create':
      return `${toHead(body)}enclosed by ${body.isolation}${body.network ? ', with a way to some hosts' : ''}`;
    case 'sandbox-cap':
      return `${toHead(body)}cap on ${body.cap}: ${body.observed} of ${body.limit} ${body.unit}`;
    case 'sandbox-exit':
      return `${toHead(body)}${body.end} ${body.code ?? body.signal ?? body.stage ?? ''}`;
    case 'sandbox-net':
      return body.allowed
        ? `${body.target}: ${body.sentBytes} bytes sent, ${body.receivedBytes} received${toTail(body.because)}`
        : `not let through to ${body.target}${toTail(body.because)}`;
    case 'fetch-hop':
      return body.allowed
        ? `${body.target}${body.address === null ? '' : ` at ${body.address}`}${toTail(body.because)}`
        : `not let through to ${body.target}${toTail(body.because)}`;
    case 'process-exit':
      return `${body.process}: ${body.end} ${body.code ?? body.signal ?? ''}${toChanges(body)}`;
    case 'call-stage':
      return `its command has ended, its changes are to be judged`;
    case 'call-finish':
      return `${body.tool} ${body.target}: ${body.status}`;
    case 'step-finish':
      return 'step done';
    case 'observation':
      return body.kind;
    case 'check-start':
      return `check on ${body.trigger}`;
    case 'check-finish':
      return `${body.result}: ${body.summary}`;
    case 'context-compact':
      return `${body.leftOut === undefined ? `${body.replaced} results became pointers` : 'the oldest turns are left out'}, ${body.tokensBefore} to ${body.tokensAfter} tokens`;
    case 'run-fork':
      return `forked from step ${body.fromStep} of ${body.from}${body.changed.map((change) => `, another ${change}`).join('')}`;
    case 'fork-context':
      return `takes along ${body.items.length} messages`;
    case 'rewind-start':
      return `${body.actor} rewinds: ${toRewindHead(body.aim)}`;
    case 'run-rewind':
      return `${toPutBack(body)}${body.to === undefined ? '' : `, goes on after step ${body.to}`}`;
    case 'agent-spawn':
      return `${body.child}: ${body.title}`;
    case 'agent-finish':
      return body.outcome.kind;
    case 'call-hold':
      return body.until.kind === 'mail' ? 'waits for messages' : `waits for ${body.until.agents.join(' ')}`;
    case 'mail-send':
      return `to ${body.to}`;
    case 'agent-resume':
      return `${body.actor} lets ${body.agent} go on`;
    case 'run-steer':
      return `${body.actor} steers`;
    case 'run-pause':
      return `${body.actor} pauses`;
    case 'run-cancel':
      return `${body.actor} cancels`;
    case 'run-takeover':
      return `${body.actor} takes it from process ${body.from.pid} of machine ${body.from.machine}: ${body.because}`;
    case 'ceiling-raise':
      return `${body.actor} raises ${body.budget} to ${body.limit ?? 'no limit'}`;
    default:
      return assertNever(body);
  }
}

/** Which command of a check it is about; a call has one. */
function toHead({
  check,
  program,
}: {
  readonly check?: number | undefined;
  readonly program?: string | undefined;
}): string {
  if (check === undefined) return '';
  return `command ${check} of the check${program === undefined ? '' : ` (${program})`}: `;
}

/** How many paths of the workspace it left different, and of how many of them it was not to. */
function toChanges({ changes, untold }: Extract<EventBody, { type: 'process-exit' }>): string {
  const refused = changes.filter(({ because }) => because !== undefined).length;
  const all = changes.length + untold;
  return all === 0 ? '' : `, ${all} paths different${refused === 0 ? '' : `, ${refused} of them refused`}`;
}

function toRewindHead(aim: Extract<EventBody, { type: 'rewind-start' }>['aim']): string {
  switch (aim.kind) {
    case 'step':
      return `to the end of step ${aim.step}`;
    case 'files':
      return 'files alone';
    case 'undo':
      return 'undoes the last rewind';
  }
}

function toPutBack({ files }: Extract<EventBody, { type: 'run-rewind' }>): string {
  const put = files.filter(({ fate }) => fate === 'restored' || fate === 'removed').length;
  const missed = files.filter(({ fate }) => fate !== 'already').length - put;
  return `${put} paths put back${missed === 0 ? '' : `, ${missed} not`}`;
}

const toTail = (because: string | undefined): string => (because === undefined ? '' : `: ${because}`);
