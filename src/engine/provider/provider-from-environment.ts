// Which model answers, where, and with which key: read from the environment alone, so that no repository can redirect a
// key. A key goes to one host, encrypted or to this machine; a choice never holds it.
import { EngineError } from '../../shared/engine-error.ts';
import type { ProviderChoice } from '../../shared/event.ts';
import { isLoopback } from '../net/is-loopback.ts';

export interface ConfiguredProvider {
  readonly choice: ProviderChoice & { readonly baseUrl: string };
  readonly key: string | null;
  /** Every key the environment holds, so that none of them can enter the journal. */
  readonly knownSecrets: readonly string[];
}

export interface ProviderWish {
  readonly provider?: string | null;
  readonly model?: string | null;
  /** Where the run was answered before; the environment may name another address, a repository never. */
  readonly baseUrl?: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultBaseUrls = new Map([
  ['openrouter', 'https://openrouter.ai/api/v1'],
  ['openai', 'https://api.openai.com/v1'],
]);

/** Resolves the provider, or throws `provider-not-configured` naming the variable that is missing. */
export function providerFromEnvironment(environment: Environment, wish: ProviderWish = {}): ConfiguredProvider {
  const name = wish.provider ?? findConfigured(environment);
  const defaultBaseUrl = defaultBaseUrls.get(name);
  if (defaultBaseUrl === undefined) {
    throw notConfigured(`There is no provider "${name}".`, `Choose one of ${[...defaultBaseUrls.keys()].join(', ')}.`);
  }
  const variables = toVariables(name);
  const ownBaseUrl = environment[variables.baseUrl]?.trim();
  const baseUrl = parseBaseUrl(ownBaseUrl || wish.baseUrl || defaultBaseUrl, variables.baseUrl);
  const key = environment[variables.key]?.trim() || null;
  if (key !== null) {
    assertKeyIsSafe(key, baseUrl, variables);
    assertKeyIsFor(baseUrl, ownBaseUrl || defaultBaseUrl, variables);
  }
  if (key === null && baseUrl.href.startsWith(defaultBaseUrl)) {
    throw notConfigured(`${variables.key} is not set.`, `Set ${variables.key} to your ${name} key.`);
  }
  const model = wish.model ?? (environment[variables.model]?.trim() || null);
  if (model === null) {
    throw notConfigured('No model is chosen.', `Set ${variables.model}, give --model, or name one in the contract.`);
  }
  const choice = { name, wire: 'openai-chat', baseUrl: baseUrl.href.replace(/\/+$/, ''), model } as const;
  return { choice, key, knownSecrets: findKnownSecrets(environment) };
}

function toVariables(name: string) {
  const prefix = name.toUpperCase();
  return { key: `${prefix}_API_KEY`, model: `${prefix}_MODEL`, baseUrl: `${prefix}_BASE_URL` };
}

function assertKeyIsSafe(key: string, baseUrl: URL, variables: ReturnType<typeof toVariables>): void {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw notConfigured(`${variables.key} holds characters that no key has.`, `Set ${variables.key} to the key alone.`);
  }
  if (baseUrl.protocol !== 'https:' && !isLoopback(baseUrl)) {
    const remedy = `Use https in ${variables.baseUrl}, or a server on this machine.`;
    throw notConfigured(`The key would travel unencrypted to ${baseUrl.host}.`, remedy);
  }
}

/** A key belongs to the address that stands beside it in the environment, which need not be where a run was answered before. */
function assertKeyIsFor(baseUrl: URL, ownBaseUrl: string, variables: ReturnType<typeof toVariables>): void {
  if (baseUrl.origin === new URL(ownBaseUrl).origin) return;
  const remedy = `Set ${variables.baseUrl} to the address that the key is for.`;
  throw notConfigured(
    `The run was answered by ${baseUrl.host}, and ${variables.key} is not known to be for it.`,
    remedy,
  );
}

function findConfigured(environment: Environment): string {
  const isSet = (variable: string) => Boolean(environment[variable]?.trim());
  const names = [...defaultBaseUrls.keys()];
  const found =
    names.find((name) => isSet(toVariables(name).key)) ?? names.find((name) => isSet(toVariables(name).baseUrl));
  if (found !== undefined) return found;
  const remedy =
    'Set OPENROUTER_API_KEY and OPENROUTER_MODEL, or OPENAI_API_KEY and OPENAI_MODEL; for a server on this machine set OPENAI_BASE_URL and OPENAI_MODEL.';
  throw notConfigured('No model provider is configured.', remedy);
}

/** A password in the address would be shown wherever the address is, so it is refused. */
function parseBaseUrl(text: string, variable: string): URL {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    [url.username, url.password, url.search, url.hash].some(Boolean)
  ) {
    const remedy = `Set ${variable} to an http or https address that ends before /chat/completions.`;
    throw notConfigured(`${variable} is not a usable base URL.`, remedy);
  }
  return url;
}

/** Every provider key the environment holds, for masking. */
export function findKnownSecrets(environment: Environment): string[] {
  const keys = [...defaultBaseUrls.keys()].map((name) => environment[toVariables(name).key]?.trim() ?? '');
  // A few characters are a placeholder for a local server, and masking them would ruin every text.
  return keys.filter((key) => key.length >= 8);
}

function notConfigured(message: string, remedy: string): EngineError {
  return new EngineError('provider-not-configured', message, { remedy });
}
