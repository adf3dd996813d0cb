// What is decided anew each time a driver takes a run up: flags first, then what the run had when it was last driven, then
// the defaults.
import type { Posture, ProviderChoice } from '../../shared/event.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Budgets } from '../../shared/task-contract.ts';
import type { Price } from '../../shared/usage.ts';
import type { RunSettingsParams } from './engine.ts';
import { assertPriced, readPrice } from './read-price.ts';

export interface DriverSettings {
  readonly provider: ProviderChoice;
  readonly posture: Posture;
  readonly contextTokens: number;
  readonly price: Price | null;
}

export interface ResolveSettingsOptions {
  readonly home: string;
  readonly params: RunSettingsParams;
  readonly provider: ProviderChoice;
  readonly budgets: Budgets;
  /** The run as it was last driven; null for a new one. */
  readonly state: RunState | null;
}

const defaultContextTokens = 128_000;

/** Throws `unpriced` when money is limited and the model has no price. */
export function resolveSettings({ home, params, provider, budgets, state }: ResolveSettingsOptions): DriverSettings {
  const price = readPrice(home, provider.model);
  assertPriced(budgets.costUsd, price, provider.model, home);
  return {
    provider,
    posture: params.approve ?? state?.settings.posture ?? 'defer',
    contextTokens: params.contextTokens ?? state?.settings.contextTokens ?? defaultContextTokens,
    price,
  };
}
