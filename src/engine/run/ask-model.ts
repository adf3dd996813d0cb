// One attempt at one reply: reserved and durable before a byte leaves, settled before anything is done with it.
import { hash } from 'node:crypto';
import { budgetsOf, deadlineOf, settingsOf } from '../../shared/agent-tree.ts';
import type { EventPlace, ProposedCall } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import type { AssistantMessage, MessageCall } from '../../shared/message.ts';
import type { RunState } from '../../shared/run-state.ts';
import { toCostUsd, type Usage } from '../../shared/usage.ts';
import { estimateInputTokens } from '../budget/bound-request.ts';
import { shrinkTo } from '../budget/plan-compaction.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { ModelDelta, ModelReply, ModelRequest, ProviderFailure } from '../provider/model-provider.ts';
import { toRetryDelayMs } from '../provider/retry-delay.ts';
import type { Action } from './action.ts';
import type { DriverPorts } from './driver-ports.ts';
import { hashRequest } from './hash-request.ts';
import { isWithdrawn } from './is-withdrawn.ts';
import { parseCall } from './proposed-call.ts';

type Reason = Extract<Action, { kind: 'reason' }>;

export async function askModel(ports: DriverPorts, action: Reason, signal: AbortSignal): Promise<void> {
  const { recorder, clock, provider, transcript, toolSpecs, live } = ports;
  const { attempt, reservation } = action;
  const maxOutputTokens = reservation.outputTokens;
  recorder.emit(action, { type: 'model-start', attempt, reservation, maxOutputTokens, activeMs: clock.activeMs() });
  await recorder.commit();
  // Said in this very moment: no request leaves any more.
  if (isWithdrawn(ports, action.agentId)) return recordFailure(ports, action, unsent);
  const messages = transcript.toMessages(agentOf(recorder.state, action));
  const onDelta = (delta: ModelDelta) => live.publish(toLiveUpdate(recorder.state, action, delta));
  passCrashPoint('before-request');
  const request: ModelRequest = { messages, tools: toolSpecs, maxOutputTokens };
  const result = await provider.complete(request, onDelta, signal);
  passCrashPoint('after-reply');
  live.end(action.agentId);
  if (result.kind === 'failure') await recordFailure(ports, action, result.failure);
  else if (isEmpty(result.reply)) await recordFailure(ports, action, emptyReply, result.reply.usage);
  else recordReply(ports, action, result.reply, hashRequest(request));
}

const unsent: ProviderFailure = {
  class: 'aborted',
  message: 'It was not sent: a person has stopped the agent.',
  retryable: true,
  charge: 'none',
};

/** Saying nothing is not the same as being done. */
const isEmpty = ({ message, finish }: ModelReply): boolean =>
  finish === 'stop' && message.calls.length === 0 && message.text.trim() === '';

const emptyReply: ProviderFailure = {
  class: 'malformed',
  message: 'The model answered with neither text nor calls.',
  retryable: true,
  charge: 'unknown',
};

function recordReply(ports: DriverPorts, action: Reason, reply: ModelReply, request: BlobHash): void {
  const { recorder, transcript, redactor, clock } = ports;
  const { message, finish, firstEventMs, durationMs } = reply;
  const { price } = settingsOf(recorder.state, agentOf(recorder.state, action));
  const blob = createBlob(JSON.stringify(message), { origin: 'model', redactor, original: 'seal' });
  transcript.keepReply(blob.ref, message);
  const { inputTokens, outputTokens } = action.reservation;
  const usage = reply.usage ?? { inputTokens, outputTokens, cachedInputTokens: 0 };
  recorder.emit(
    action,
    {
      type: 'model-finish',
      attempt: action.attempt,
      message: blob.ref,
      request,
      finish,
      calls: toProposedCalls(ports, message, finish),
      usage,
      ...(reply.usage === null ? { usageEstimated: true } : {}),
      costUsd: price === null ? null : toCostUsd(usage, price),
      firstEventMs: Math.round(firstEventMs),
      durationMs: Math.round(durationMs),
      activeMs: clock.activeMs(),
    },
    [blob],
  );
}

/** A reply that was cut off runs nothing: whatever its last call says, more was meant to follow. */
export function toProposedCalls(
  ports: Pick<DriverPorts, 'tools' | 'redactor'>,
  { calls }: AssistantMessage,
  finish: ModelReply['finish'],
): ProposedCall[] {
  const isCut = finish === 'length' || finish === 'filter';
  return calls.map((proposed, call) => {
    const { id, tool } = proposed;
    const fault = isCut ? cutOff : findFault(ports, proposed);
    const fingerprint = toFingerprint(proposed);
    return { call, id, tool, fingerprint, ...(fault === null ? {} : { unusable: ports.redactor.redact(fault).text }) };
  });
}

/** Long enough to tell the calls of one conversation apart, and too short to tell anything else. */
const toFingerprint = ({ tool, arguments: text }: MessageCall): string =>
  hash('sha256', `${tool}\n${text}`).slice(0, 12);

const cutOff =
  'The reply was cut off, by its output limit or by a filter of the provider, so none of its calls was carried out. Make fewer or smaller calls at a time.';

function findFault({ tools, redactor }: Pick<DriverPorts, 'tools' | 'redactor'>, call: MessageCall): string | null {
  const tool = tools.get(call.tool);
  if (tool === undefined)
    return `There is no tool named "${call.tool}". The tools are: ${[...tools.keys()].join(', ')}.`;
  const parsed = parseCall(tool, call);
  if (parsed.kind === 'unusable') return parsed.message;
  return redactor.holdsKnown(JSON.stringify(parsed.arguments)) ? holdsKey : null;
}

const holdsKey =
  'The arguments hold a key that the engine uses itself. No tool is given it, and it must not be written anywhere.';

async function recordFailure(
  ports: DriverPorts,
  action: Reason,
  failure: ProviderFailure,
  usage: Usage | null = null,
): Promise<void> {
  const { recorder, clock } = ports;
  const { price } = settingsOf(recorder.state, agentOf(recorder.state, action));
  const compaction = failure.class === 'context-overflow' ? halveContext(recorder.state, action) : null;
  recorder.emit(action, {
    type: 'model-fail',
    attempt: action.attempt,
    failure: failure.class,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    message: ports.redactor.redact(failure.message).text,
    retryAtMs: compaction === null ? findRetry(ports, action, failure) : clock.nowMs(),
    ...(usage === null
      ? { charge: failure.charge }
      : { charge: 'known', usage, costUsd: price === null ? null : toCostUsd(usage, price) }),
    activeMs: clock.activeMs(),
  });
  if (compaction !== null) recorder.emit(action, { type: 'context-compact', ...compaction });
  if (failure.class === 'aborted') await recorder.commit(); // Why it was cut short is folded before the next plan.
}

/** The provider's window is smaller than was thought: half of what was sent must do. */
function halveContext(state: RunState, place: EventPlace) {
  const agent = agentOf(state, place);
  const settings = settingsOf(state, agent);
  return shrinkTo(agent, settings, Math.floor(estimateInputTokens(agent, settings) / 2));
}

/** A server that wants to be left alone for longer ends the run, which a resume takes up again. */
const longestWaitMs = 15 * 60_000;

/** When to try again; null when it would not help, or no longer fits the budgets. */
function findRetry({ recorder, clock, random }: DriverPorts, action: Reason, failure: ProviderFailure): number | null {
  const agent = agentOf(recorder.state, action);
  const { retries } = budgetsOf(recorder.state, agent);
  if (failure.class === 'aborted') return clock.nowMs();
  if (!failure.retryable) return null;
  const failures = agent.failures + 1;
  if (retries !== null && failures > retries) return null;
  const delayMs = toRetryDelayMs(failures, { retryAfterMs: failure.retryAfterMs, random: random() });
  if (delayMs > longestWaitMs) return null;
  if (clock.activeMs() + delayMs >= deadlineOf(recorder.state, agent)) return null;
  return clock.nowMs() + delayMs;
}

function toLiveUpdate({ runId }: RunState, { agentId, step }: EventPlace, delta: ModelDelta): LiveUpdate {
  switch (delta.kind) {
    case 'text':
      return { type: 'text-delta', runId, agentId, step, text: delta.text };
    case 'reasoning':
      return { type: 'reasoning-delta', runId, agentId, step, text: delta.text };
    case 'call':
      return {
        type: 'call-delta',
        runId,
        agentId,
        step,
        call: delta.call,
        tool: delta.tool,
        characters: delta.characters,
      };
  }
}
