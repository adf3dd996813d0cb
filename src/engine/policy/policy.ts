// What a policy is: rules in named layers over one default for each kind of act. The types are data only, so that a policy
// can be hashed, journaled and explained; deciding with them is `evaluatePolicy` and nothing else.
import type { ActKind, Effect } from '../../shared/act.ts';

export interface Rule {
  readonly act: ActKind;
  readonly effect: Effect;
  /** Anchored glob: `*` any run of characters, `/` included, `?` one character; without `/` it also tests the last part. */
  readonly pattern: string;
  /** Targets that the pattern takes in but the rule does not mean, as patterns of the same form. */
  readonly except?: readonly string[];
}

export interface Layer {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** What would change a decision of this layer, as a sentence for people. */
  readonly remedy: string;
}

export type PolicyDefaults = Readonly<Record<ActKind, Effect>>;

export interface Policy {
  readonly layers: readonly Layer[];
  readonly defaults: PolicyDefaults;
}

/** An act as it is judged: everything about the file system was already found out by the guard. */
export interface JudgeableAct {
  readonly kind: ActKind;
  readonly target: string;
  /** Where the target really lies; null where it leaves the workspace or cannot be told. */
  readonly real: string | null;
  /** `ignored` where the volume takes `.ENV` and `.env` for one file: then both spellings are judged. */
  readonly letterCase: 'exact' | 'ignored';
}
