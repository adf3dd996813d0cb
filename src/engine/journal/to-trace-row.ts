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
    case 'call-start':
      return body.tool;
    case 'sandbox-create':
      return `enclosed by ${body.isolation}${body.network ? ', with a way to some hosts' : ''}`;
    case 'sandbox-cap':
      return `cap on ${body.cap}: ${body.observed} of ${body.limit} ${body.unit}`;
    case 'sandbox-exit':
      return `${body.end} ${body.code ?? body.signal ?? body.stage ?? ''}`;
    case 'sandbox-net':
      return body.allowed
        ? `${body.target}: ${body.sentBytes} bytes sent, ${body.receivedBytes} received${toTail(body.because)}`
        : `not let through to ${body.target}${toTail(body.because)}`;
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
      return `${body.replaced} results became pointers, ${body.tokensBefore} to ${body.tokensAfter} tokens`;
    case 'run-steer':
      return `${body.actor} steers`;
    case 'run-pause':
      return `${body.actor} pauses`;
    case 'run-cancel':
      return `${body.actor} cancels`;
    case 'ceiling-raise':
      return `${body.actor} raises ${body.budget} to ${body.limit ?? 'no limit'}`;
    default:
      return assertNever(body);
  }
}

const toTail = (because: string | undefined): string => (because === undefined ? '' : `: ${because}`);
