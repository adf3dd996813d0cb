// What is decided anew each time a driver takes a run up: flags first, then what the run had when it was last driven, then
// the defaults.
import { EngineError } from '../../shared/engine-error.ts';
import type { Posture, ProviderChoice } from '../../shared/event.ts';
import type { RecoveryPolicy } from '../../shared/recovery.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Budgets } from '../../shared/task-contract.ts';
import type { Price } from '../../shared/usage.ts';
import type { Isolation, MinimumIsolation } from '../policy/isolation.ts';
import type { RunSettingsParams } from './engine.ts';
import { assertPriced, readPrice } from './read-price.ts';
import type { RunPolicy } from './run-policy.ts';

export interface DriverSettings {
  readonly provider: ProviderChoice;
  readonly posture: Posture;
  readonly contextTokens: number;
  readonly price: Price | null;
  readonly policy: RunPolicy;
  /** The least that commands may be enclosed by. */
  readonly minimumIsolation: MinimumIsolation;
  /** What they are enclosed by on this machine; null: none is run. */
  readonly isolation: Isolation | null;
  /** The model that answers asks; only under the posture `model`. */
  readonly reviewer: string | null;
  /** Who settles calls of which nobody can know what became; null: it follows from the posture. */
  readonly recovery: RecoveryPolicy | null;
}

export interface ResolveSettingsOptions {
  readonly home: string;
  readonly params: RunSettingsParams;
  readonly provider: ProviderChoice;
  readonly budgets: Budgets;
  readonly policy: RunPolicy;
  readonly minimumIsolation: MinimumIsolation;
  readonly isolation: Isolation | null;
  /** What the contract of a new run says. */
  readonly recovery: RecoveryPolicy | null;
  /** The run as it was last driven; null for a new one. */
  readonly state: RunState | null;
}

const defaultContextTokens = 128_000;

/** Throws `unpriced` when money is limited and the model has no price. */
export function resolveSettings({
  home,
  params,
  provider,
  budgets,
  policy,
  minimumIsolation,
  isolation,
  recovery,
  state,
}: ResolveSettingsOptions): DriverSettings {
  const price = readPrice(home, provider.model);
  const posture = params.approve ?? state?.settings.posture ?? 'defer';
  assertPriced(budgets.costUsd, price, provider.model, home);
  const reviewer = posture === 'model' ? requireReviewer(params.reviewer ?? state?.settings.reviewer ?? null) : null;
  if (reviewer !== null) assertPriced(budgets.costUsd, readPrice(home, reviewer), reviewer, home);
  return {
    provider,
    posture,
    contextTokens: params.contextTokens ?? state?.settings.contextTokens ?? defaultContextTokens,
    price,
    policy,
    minimumIsolation,
    isolation,
    reviewer,
    recovery: params.recovery ?? state?.settings.recovery ?? recovery,
  };
}

function requireReviewer(reviewer: string | null): string {
  if (reviewer !== null) return reviewer;
  throw new EngineError('usage', 'A model is to answer the questions of this run, and none is named.', {
    remedy: "Name one with --reviewer; it must be another than the run's own.",
  });
}
