// Has another model answer a question, paid from the run's own ledger: reserved and durable before a byte leaves. What it
// cannot say, or what no longer fits the budget, is left to people.
import type { RequestDetails } from '../../shared/approval.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import type { EventPlace, Reservation } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import { noUsage, type Price, toCostUsd, totalTokens, type Usage } from '../../shared/usage.ts';
import type { Review } from '../approval/review-request.ts';
import { fits, roomLeft } from '../budget/room-left.ts';
import type { Action } from './action.ts';
import type { DriverPorts } from './driver-ports.ts';
import { isWithdrawn } from './is-withdrawn.ts';
import { readRequestDetails } from './request-details.ts';
import type { Reviewer } from './reviewer.ts';

const maxOutputTokens = 1024;
/** The reviewer's own instructions, a token a byte. */
const instructionTokens = 4096;

export async function reviewCall(
  ports: DriverPorts,
  { agentId, call }: Extract<Action, { kind: 'review' }>,
  signal: AbortSignal,
): Promise<void> {
  const { recorder, reader, reviewer } = ports;
  await recorder.commit(); // A person may have answered while another question was reviewed.
  const agent = agentOf(recorder.state, { agentId });
  const { stage } = callOf(agent, call);
  if (stage.kind !== 'waiting' || stage.answer !== null) return;
  const question: Question = { place: { agentId, step: agent.step }, call, request: stage.request };
  if (reviewer === null || stage.details === null) return recordReview(ports, question, noReviewer);
  const reservation = toReservation(reviewer, stage.details);
  if (!roomLeft(recorder.state, agent).every((room) => fits(room, reservation)))
    return recordReview(ports, question, unaffordable);
  await ask(ports, question, { reviewer, reservation, details: readRequestDetails(reader, stage.details) }, signal);
}

interface Question {
  readonly place: EventPlace;
  readonly call: number;
  readonly request: string;
}

interface Asking {
  readonly reviewer: Reviewer;
  readonly reservation: Reservation;
  readonly details: RequestDetails;
}

async function ask(
  ports: DriverPorts,
  question: Question,
  { reviewer, reservation, details }: Asking,
  signal: AbortSignal,
): Promise<void> {
  const { recorder, clock } = ports;
  const { place, call, request } = question;
  const { model } = reviewer;
  recorder.emit(place, { type: 'review-start', call, request, model, reservation, activeMs: clock.activeMs() });
  await recorder.commit();
  if (isWithdrawn(ports, place.agentId)) return recordReview(ports, question, unsent);
  const review = await reviewer.review(details, maxOutputTokens, signal);
  // Cut off by the end of this process it is no answer: left open, it is asked for again by the next driver.
  if (signal.aborted && signal.reason !== 'wallMs') return;
  recordReview(ports, question, review);
  await recorder.commit();
}

function recordReview({ recorder, reviewer, redactor, clock }: DriverPorts, question: Question, review: Review): void {
  const { place, call, request } = question;
  const { decision, reason, usage } = review;
  const price = reviewer?.price ?? null;
  recorder.emit(place, {
    type: 'review-finish',
    call,
    request,
    model: reviewer?.model ?? '',
    decision,
    reason: redactor.redact(reason).text,
    usage,
    costUsd: usage === null ? null : toReviewCost(usage, price),
    activeMs: clock.activeMs(),
  });
}

/** What was not sent costs nothing, whatever the price. */
function toReviewCost(usage: Usage, price: Price | null): number | null {
  if (totalTokens(usage) === 0) return 0;
  return price === null ? null : toCostUsd(usage, price);
}

/** A token covers at least one byte; made visible and quoted, the details grow to three times their size at most. */
function toReservation({ price }: Reviewer, { bytes }: BlobRef): Reservation {
  const inputTokens = instructionTokens + 3 * bytes;
  const costUsd = price === null ? null : toCostUsd({ inputTokens, outputTokens: maxOutputTokens }, price);
  return { inputTokens, outputTokens: maxOutputTokens, costUsd };
}

const unsent: Review = {
  decision: 'defer',
  reason: 'it was not asked: a person has stopped the agent',
  usage: noUsage,
};

const noReviewer: Review = { decision: 'defer', reason: 'no reviewing model is configured', usage: null };

const unaffordable: Review = {
  decision: 'defer',
  reason: 'what is left of the budget does not pay for it',
  usage: null,
};
