// Turns a classified failure into the value that the journal keeps and people read: what happened, in the server's own
// words where it had any, and what to do next. The key is masked before anything is cut short, so no half of it is left.
import { assertNever } from '../../../shared/assert-never.ts';
import type { ProviderChoice, ProviderFailureClass } from '../../../shared/event.ts';
import type { ProviderFailure } from '../model-provider.ts';

/** Whom a request was sent to. */
export interface Endpoint {
  readonly choice: ProviderChoice;
  readonly url: URL;
  readonly key: string | null;
}

export interface FailureFacts {
  readonly class: ProviderFailureClass;
  /** What happened, as the rest of a sentence that starts with the host. */
  readonly what: string;
  readonly charge: 'none' | 'unknown';
  /** The server's own words, of any length. */
  readonly words?: string;
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  /** The same would happen again, though the class as such may pass. */
  readonly permanent?: boolean;
}

const maxWordsCharacters = 500;

/** Builds the failure for `facts` at `endpoint`. */
export function describeFailure(endpoint: Endpoint, facts: FailureFacts): ProviderFailure {
  const what = toShown(facts.what, endpoint.key);
  const words = toShown(facts.words ?? '', endpoint.key);
  return {
    class: facts.class,
    ...(facts.status === undefined ? {} : { status: facts.status }),
    message: `${endpoint.url.host} ${what}${words && `: "${words}"`}. ${toRemedy(facts.class, endpoint)}`,
    retryable: isPassing(facts.class) && facts.permanent !== true,
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
    charge: facts.charge,
  };
}

/** One line, without the key, and short. Control and direction characters could rewrite a terminal line: they go too. */
function toShown(text: string, key: string | null): string {
  const masked = key === null || key === '' ? text : text.replaceAll(key, '[key]');
  const line = masked.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > maxWordsCharacters ? `${line.slice(0, maxWordsCharacters)}…` : line;
}

function isPassing(failure: ProviderFailureClass): boolean {
  switch (failure) {
    case 'connection':
    case 'timeout':
    case 'rate-limited':
    case 'server':
    case 'malformed':
    case 'cut-off':
      return true;
    case 'quota':
    case 'auth':
    case 'unknown-model':
    case 'request':
    case 'context-overflow':
    case 'aborted':
      return false;
    default:
      return assertNever(failure);
  }
}

function toRemedy(failure: ProviderFailureClass, { choice }: Endpoint): string {
  const address = `the base URL ${choice.baseUrl ?? ''}`;
  switch (failure) {
    case 'connection':
      return `Check that the network is up and that ${address} is right.`;
    case 'timeout':
      return 'Try again later, or choose a model that answers faster.';
    case 'rate-limited':
      return 'Wait, or raise the rate limit with the provider.';
    case 'quota':
      return `Add credit to the ${choice.name} account or raise its limit; waiting does not help.`;
    case 'server':
      return 'The fault lies with the provider: try again later, or choose another model.';
    case 'auth':
      return `Check that the key given for ${choice.name} is valid and may use the model ${choice.model}.`;
    case 'unknown-model':
      return `Check the model name ${choice.model} and ${address}.`;
    case 'request':
      return `Check that the model ${choice.model} supports tools and that ${address} is right.`;
    case 'context-overflow':
      return 'Lower --context-tokens to the window of this model, or choose a model with a larger one.';
    case 'malformed':
      return `Check that ${address} belongs to an OpenAI-compatible chat-completions server.`;
    case 'cut-off':
      return 'Nothing of this reply was carried out; try again.';
    case 'aborted':
      return 'Nothing of this reply was carried out.';
    default:
      return assertNever(failure);
  }
}
