// The models of a run: the one that works and, where one is wanted, the one that reviews. What the host brought stays the
// host's; what is opened here is closed with the run.
import { EngineError } from '../../shared/engine-error.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import { createRedactor, type Redactor } from '../journal/redactor.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import { createOpenAiChatProvider } from '../provider/openai-chat/openai-chat-provider.ts';
import { findKnownSecrets, type ProviderWish, providerFromEnvironment } from '../provider/provider-from-environment.ts';
import { createReviewer } from '../run/create-reviewer.ts';
import type { DriverSettings } from '../run/driver-settings.ts';
import { readPrice } from '../run/read-price.ts';
import type { Reviewer } from '../run/reviewer.ts';
import { toTreeCaps } from '../run/tree-limits.ts';
import type { EngineParts } from './engine-parts.ts';

export interface OpenedModel {
  readonly provider: ModelProvider;
  readonly redactor: Redactor;
  readonly knownSecrets: readonly string[];
}

/** Throws `provider-not-configured`. */
export function openModel(parts: EngineParts, resources: AsyncDisposableStack, wish: ProviderWish): OpenedModel {
  const { ownProvider, environment, dispatcher } = parts;
  if (ownProvider !== null) {
    const knownSecrets = findKnownSecrets(environment);
    return { provider: ownProvider, redactor: createRedactor({ knownSecrets }), knownSecrets };
  }
  const { choice, key, knownSecrets } = providerFromEnvironment(environment, wish);
  const provider = createOpenAiChatProvider({ choice, key, dispatcher });
  resources.defer(() => provider.close());
  return { provider, redactor: createRedactor({ knownSecrets }), knownSecrets };
}

/** A host that brings its own model brings that one: throws `contract-invalid` where agents may be given others. */
export function assertModelsKnown({ ownProvider }: EngineParts, { containment }: TaskContract): void {
  if (ownProvider === null || containment === null) return;
  const others = toTreeCaps(containment).models.filter((model) => model !== ownProvider.choice.model);
  if (others.length === 0) return;
  throw new EngineError('contract-invalid', `The contract names models for spawned agents (${others.join(', ')}).`, {
    remedy: `This engine is given one model, ${ownProvider.choice.model}: leave the others out.`,
  });
}

/** Models of spawned agents, each opened once; what is opened here is closed with the run. */
export function createModelSource(
  { environment, dispatcher }: EngineParts,
  resources: AsyncDisposableStack,
  { provider: own }: OpenedModel,
): (model: string | null) => ModelProvider {
  const opened = new Map<string, ModelProvider>([[own.choice.model, own]]);
  return (model) => {
    const known = opened.get(model ?? own.choice.model);
    if (known !== undefined || model === null) return known ?? own;
    const { name, baseUrl } = own.choice;
    const { choice, key } = providerFromEnvironment(environment, { provider: name, model, baseUrl });
    const provider = createOpenAiChatProvider({ choice, key, dispatcher });
    resources.defer(() => provider.close());
    opened.set(model, provider);
    return provider;
  };
}

/** Null when no model answers questions. Throws `usage` when it would be the run's own. */
export function openReviewer(
  { home, environment, dispatcher, ownReviewer }: EngineParts,
  resources: AsyncDisposableStack,
  { provider }: OpenedModel,
  { reviewer: model, posture }: DriverSettings,
): Reviewer | null {
  if (posture !== 'model' || model === null) return null;
  if (ownReviewer !== null) {
    return createReviewer(ownReviewer, provider.choice, readPrice(home, ownReviewer.choice.model));
  }
  const { name, baseUrl } = provider.choice;
  const { choice, key } = providerFromEnvironment(environment, { provider: name, model, baseUrl });
  const reviewing = createOpenAiChatProvider({ choice, key, dispatcher });
  resources.defer(() => reviewing.close());
  return createReviewer(reviewing, provider.choice, readPrice(home, model));
}
