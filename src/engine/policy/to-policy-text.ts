// The text that a policy is known by: equal policies give equal text. Its hash names the policy in the journal; hashing
// itself is the caller's, as this folder touches nothing outside.
import { toCanonicalText } from '../../shared/to-canonical-text.ts';
import type { Policy } from './policy.ts';

/** The order of layers and rules is kept: it decides which rule is reported. */
export const toPolicyText = (policy: Policy): string => toCanonicalText(policy);
