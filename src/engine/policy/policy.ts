// What a policy is: rules in named layers over one default for each kind of act. The types are data only, so that a policy
// can be hashed, journaled and explained; deciding with them is `evaluatePolicy` and nothing else.
import type { ActKind, Effect, LayerOrigin } from '../../shared/act.ts';

export interface Rule {
  readonly act: ActKind;
  readonly effect: Effect;
  /** Anchored glob: `*` any run of characters, `/` included, `?` one character. Its form says what it is tried on. */
  readonly pattern: string;
  /** Targets that the pattern takes in but the rule does not mean, as patterns of the same form. */
  readonly except?: readonly string[];
  /** The rule speaks only of agents that hold both untrusted and sensitive input; or of them where nothing encloses commands. */
  readonly when?: 'tainted' | 'tainted-unenclosed';
  /** An allow holds only where commands are enclosed at least as strongly as by this isolation; a denial holds everywhere. */
  readonly isolation?: string;
  /** Why the rule is there, as the end of a sentence for people. */
  readonly reason?: string;
}

export interface Layer {
  readonly name: string;
  readonly origin: LayerOrigin;
  readonly rules: readonly Rule[];
  /** What would change a decision of this layer, as the end of a sentence for people. */
  readonly remedy: string;
  /** Its asks are answered in advance by an allow that names the exact path; no glob and no bare name does that. */
  readonly isAnsweredByExactPath?: boolean;
}

export type PolicyDefaults = Readonly<Record<ActKind, Effect>>;

export interface Policy {
  readonly layers: readonly Layer[];
  readonly defaults: PolicyDefaults;
}

/** Under which circumstances an act is judged. */
export interface Circumstances {
  /** The agent holds both untrusted and sensitive input. */
  readonly isTainted: boolean;
  /** How strongly commands are enclosed here. */
  readonly isolation: string;
}

/** What one agent is judged by at this moment. */
export interface Stance extends Circumstances {
  readonly policy: Policy;
}
