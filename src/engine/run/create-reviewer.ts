// A model as a reviewer of another one's calls.
import type { ProviderChoice } from '../../shared/event.ts';
import type { Price } from '../../shared/usage.ts';
import { assertReviewer, reviewRequest } from '../approval/review-request.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { Reviewer } from './reviewer.ts';

/** Throws `usage` when the reviewing model is the one whose calls it would judge. */
export function createReviewer(provider: ModelProvider, reviewed: ProviderChoice, price: Price | null): Reviewer {
  const { model } = provider.choice;
  assertReviewer(model, reviewed.model);
  return {
    model,
    price,
    review: (details, maxOutputTokens, signal) => reviewRequest({ provider, details, maxOutputTokens }, signal),
  };
}
