// Another model that answers for people: what the loop needs of it.
import type { RequestDetails } from '../../shared/approval.ts';
import type { Price } from '../../shared/usage.ts';
import type { Review } from '../approval/review-request.ts';

export interface Reviewer {
  readonly model: string;
  readonly price: Price | null;
  /** Never rejects: what goes wrong is no answer. */
  review(details: RequestDetails, maxOutputTokens: number, signal: AbortSignal): Promise<Review>;
}
