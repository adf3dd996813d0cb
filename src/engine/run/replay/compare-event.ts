// What an event says, made again from the state before it: requests from the context, proposed calls from the reply, verdicts
// by the policy of then, and the texts that the engine itself writes.
import { toResolvedAct } from '../../../shared/act-record.ts';
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { EventOf, JournalEvent } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { toCanonicalText } from '../../../shared/to-canonical-text.ts';
import { hashBytes } from '../../journal/create-blob.ts';
import { evaluatePolicy } from '../../policy/evaluate-policy.ts';
import type { Action } from '../action.ts';
import { toProposedCalls } from '../ask-model.ts';
import { hashRequest } from '../hash-request.ts';
import { cutOffText, toEvidenceText } from '../perform.ts';
import { isRisky } from '../plan-calls.ts';
import { toShown } from '../to-shown.ts';
import {
  compareHold,
  compareMail,
  compareRelease,
  compareReport,
  compareReports,
  compareSpawn,
} from './compare-agent-event.ts';
import type { ComparePorts } from './compare-ports.ts';
import { compare, type Mismatch, toWords } from './divergence.ts';

/** `action`: what the event came of; null where it needed no plan. */
export function compareEvent(
  ports: ComparePorts,
  state: RunState,
  event: JournalEvent,
  action: Action | null,
): Mismatch | null {
  switch (event.type) {
    case 'model-finish':
      return compareRequest(ports, state, event) ?? compareCalls(ports, state, event);
    case 'act-judged':
      return compareVerdict(ports, state, event);
    case 'call-start':
      return compareStart(state, event);
    case 'call-finish':
      return (
        compareTool(state, event) ??
        compareAnswer(ports, state, event, action) ??
        compareRelease(ports, state, event) ??
        compareShown(ports, event)
      );
    case 'observation':
      return compareObservation(ports, state, event);
    case 'agent-spawn':
      return compareSpawn(ports, state, event);
    case 'agent-finish':
      return compareReport(ports, state, event);
    case 'call-hold':
      return compareHold(ports, state, event);
    case 'mail-send':
      return compareMail(ports, state, event);
    default:
      return null;
  }
}

function compareRequest({ transcript, driver }: ComparePorts, state: RunState, event: EventOf<'model-finish'>) {
  const { reserved } = agentOf(state, event);
  if (event.request === undefined || reserved === null) return null;
  const agent = agentOf(state, event);
  const messages = transcript.toMessages(agent);
  const request = { messages, tools: driver.toolsOf(agent).toolSpecs, maxOutputTokens: reserved.outputTokens };
  return compare('request', hashRequest(request), event.request);
}

/** Keys of calls are their places in the reply. */
function compareCalls(
  { transcript, driver, redactor }: ComparePorts,
  state: RunState,
  event: EventOf<'model-finish'>,
): Mismatch | null {
  const reply = transcript.readReply(event.message);
  const { tools } = driver.toolsOf(agentOf(state, event));
  const derived = toProposedCalls({ tools, redactor }, reply, event.finish);
  // Runs of before fingerprints were kept have none.
  const calls = derived.map(({ fingerprint, ...call }, place) =>
    event.calls[place]?.fingerprint === undefined ? call : { ...call, fingerprint },
  );
  return compare('calls of the reply', toCanonicalText(calls), toCanonicalText(event.calls));
}

/** What is decided whatever the policy says: by a guard that could not read the act, and by a tool that keeps it for itself. */
const outsideLayers: ReadonlySet<string> = new Set(['plan', 'guard', 'tool']);

function compareVerdict({ driver }: ComparePorts, state: RunState, event: EventOf<'act-judged'>): Mismatch | null {
  const act = toResolvedAct(event);
  if (act === null || outsideLayers.has(event.layer) || !driver.isPolicyKept) return null;
  const stance = driver.stanceOf(state, event);
  const { effect, rule, layer } = evaluatePolicy(stance.policy, act, stance);
  const { tainted = false } = event;
  const expected = { effect, rule, layer, tainted: stance.isTainted };
  const got = { effect: event.effect, rule: event.rule, layer: event.layer, tainted };
  return compare(`verdict on ${act.kind} ${act.target}`, toWords(expected), toWords(got));
}

/** An approval is consumed by the one start that names it. */
function compareStart(state: RunState, event: EventOf<'call-start'>): Mismatch | null {
  const { phase } = agentOf(state, event);
  const call = phase.kind === 'acting' ? phase.calls[event.call] : undefined;
  if (call === undefined) return null;
  const { stage, tool } = call;
  const approval = stage.kind === 'waiting' && stage.answer?.decision === 'approve' ? stage.request : null;
  const expected = { tool, approval, risky: isRisky(call) };
  const got = { tool: event.tool, approval: event.approval ?? null, risky: event.risky };
  return compare('start of the call', toWords(expected), toWords(got));
}

function compareTool(state: RunState, event: EventOf<'call-finish'>): Mismatch | null {
  const { phase } = agentOf(state, event);
  const call = phase.kind === 'acting' ? phase.calls[event.call] : undefined;
  return call === undefined ? null : compare('tool', call.tool, event.tool);
}

/** What a call is told that was refused, or could not be read. */
function compareAnswer(
  { reader, redactor }: ComparePorts,
  state: RunState,
  event: EventOf<'call-finish'>,
  action: Action | null,
): Mismatch | null {
  if (action?.kind !== 'answer') return null;
  const { phase } = agentOf(state, event);
  if (phase.kind === 'acting' && phase.calls[event.call]?.staged !== null) return null;
  const text = action.status === 'denied' ? `Not allowed: ${action.because}` : action.because;
  return compare('answer', redactor.redact(text.toWellFormed()).text, readText(reader, event.result));
}

function compareShown({ reader }: ComparePorts, event: EventOf<'call-finish'>): Mismatch | null {
  const text = readText(reader, event.result);
  const shown = toShown(text, event.target);
  return compare('shown part of the result', hashText(shown), event.shown?.hash ?? event.result.hash);
}

function compareObservation(ports: ComparePorts, state: RunState, event: EventOf<'observation'>): Mismatch | null {
  const { reader, redactor } = ports;
  const { check, steers } = agentOf(state, event);
  const compareText = (text: string) =>
    compare(`observation (${event.kind})`, redactor.redact(text).text, readText(reader, event.content));
  switch (event.kind) {
    case 'steer':
      return compare('steer', steers[0]?.hash ?? 'none', event.content.hash);
    case 'reply-unusable':
      return compareText(cutOffText);
    case 'check-evidence':
      if (check === null || check.evidence === null) return null;
      return compareText(toEvidenceText(check.summary, readText(reader, check.evidence)));
    case 'agent-reports':
      return compareReports(ports, state, event);
    case 'rewind':
    case 'fork':
    case 'repetition':
      return null;
  }
}

const readText = (reader: ComparePorts['reader'], { hash }: BlobRef): string =>
  new TextDecoder().decode(reader.readBlob(hash));

const hashText = (text: string): string => hashBytes(Buffer.from(text));
