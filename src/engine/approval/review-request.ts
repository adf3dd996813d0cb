// Another model in a person's place. It may say yes, no, or that a person should look; it can neither rewrite nor remember.
// Whatever cannot be read as exactly one answer is none: `defer`, with the reason.
import type { ApprovalChoice, RequestDetails } from '../../shared/approval.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { AssistantMessage, ContextMessage } from '../../shared/message.ts';
import { noUsage, type Usage } from '../../shared/usage.ts';
import { parseReview } from './parse-review.ts';
import { toReviewPrompt } from './to-review-prompt.ts';

/** What a reviewer needs of a model; every provider of the engine has this shape. */
export interface ReviewModel {
  /** Never rejects; an abort is a failure like another. */
  complete(
    request: {
      readonly messages: readonly ContextMessage[];
      readonly tools: readonly never[];
      readonly maxOutputTokens: number;
    },
    onDelta: () => void,
    signal: AbortSignal,
  ): Promise<ReviewReply>;
}

type ReviewReply =
  | {
      readonly kind: 'reply';
      readonly reply: { readonly message: AssistantMessage; readonly finish: string; readonly usage: Usage | null };
    }
  | { readonly kind: 'failure'; readonly failure: { readonly message: string; readonly charge: 'none' | 'unknown' } };

export interface ReviewOptions {
  readonly provider: ReviewModel;
  readonly details: RequestDetails;
  readonly maxOutputTokens: number;
}

export interface Review {
  readonly decision: ApprovalChoice;
  readonly reason: string;
  /** Null when something may have been billed and nobody said how much. */
  readonly usage: Usage | null;
}

/** More than this nobody reads with care, so it is left to people, and nothing is sent. */
const maxPromptBytes = 128 * 1024;

/** Never rejects for what a model does. */
export async function reviewRequest(options: ReviewOptions, signal: AbortSignal): Promise<Review> {
  const { provider, details, maxOutputTokens } = options;
  const messages = toReviewPrompt(details);
  const bytes = messages.reduce((total, message) => total + Buffer.byteLength(message.text), 0);
  if (bytes > maxPromptBytes) return defer('the request is too long to be reviewed as a whole', noUsage);
  const result = await provider.complete({ messages, tools: [], maxOutputTokens }, () => {}, signal);
  if (result.kind === 'failure') {
    const { message, charge } = result.failure;
    return defer(`the reviewing model gave no answer: ${message}`, charge === 'none' ? noUsage : null);
  }
  const { message, finish, usage } = result.reply;
  if (finish !== 'stop' || message.calls.length > 0)
    return defer('the answer of the reviewing model was cut off', usage);
  return { ...parseReview(message.text), usage };
}

const defer = (reason: string, usage: Usage | null): Review => ({ decision: 'defer', reason, usage });

/** Throws `usage` when a model would judge what it said itself, under whichever of its names. */
export function assertReviewer(reviewerModel: string, runModel: string): void {
  if (toBareName(reviewerModel) !== toBareName(runModel)) return;
  throw new EngineError('usage', `The model ${runModel} cannot review its own requests (as ${reviewerModel}).`, {
    remedy: 'Name another model with --reviewer.',
  });
}

/** Without the provider before it and the variant behind it. */
function toBareName(model: string): string {
  return model
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[:@].*$/, '');
}
