// What was found out about a machine's ways to enclose commands. Data only: the trace and people are shown it as it is.
import type { MinimumIsolation } from '../../policy/isolation.ts';
import type { CapName, Isolation } from '../sandbox.ts';
import type { Advice } from './advise.ts';

/** Who notices that a cap is reached: the kernel at once, or the engine by looking from time to time. */
export type CapEnforcement = Readonly<Record<CapName, 'kernel' | 'polled'>>;

/** How a staged command gets its workspace; `none` where it cannot have one. */
export type Staging =
  | { readonly kind: 'overlay' | 'copy' }
  | { readonly kind: 'none'; readonly reason: string; readonly advice: Advice | null };

export type CandidateProbe =
  | {
      readonly id: Isolation;
      readonly ok: true;
      readonly version: string | null;
      readonly caps: CapEnforcement;
      readonly staging: Staging;
    }
  | {
      readonly id: Isolation;
      readonly ok: false;
      readonly version: string | null;
      readonly reason: string;
      readonly advice: Advice | null;
    };

export interface SandboxProbe {
  readonly minimum: MinimumIsolation;
  /** What commands run in; null: none may run. */
  readonly selected: Isolation | null;
  /** From the strongest to the weakest. */
  readonly candidates: readonly CandidateProbe[];
}
