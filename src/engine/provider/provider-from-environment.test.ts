import { describe, expect, it } from 'vitest';
import { isEngineError } from '../../shared/engine-error.ts';
import { providerFromEnvironment } from './provider-from-environment.ts';

const key = 'sk-or-0123456789abcdef';

function refusalOf(environment: Record<string, string>, wish = {}): string {
  try {
    providerFromEnvironment(environment, wish);
    return 'accepted';
  } catch (error) {
    return isEngineError(error) ? `${error.code}: ${error.message} ${error.remedy}` : String(error);
  }
}

describe('providerFromEnvironment', () => {
  it('resolves OpenRouter with its own address and keeps the key out of the choice', () => {
    expect(providerFromEnvironment({ OPENROUTER_API_KEY: key, OPENROUTER_MODEL: 'm' })).toEqual({
      choice: { name: 'openrouter', wire: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1', model: 'm' },
      key,
      knownSecrets: [key],
    });
  });

  it('takes OpenRouter first when both keys are set, and knows both as secrets', () => {
    const environment = { OPENROUTER_API_KEY: key, OPENROUTER_MODEL: 'm', OPENAI_API_KEY: 'sk-9876543210' };
    const { choice, knownSecrets } = providerFromEnvironment(environment);
    expect({ name: choice.name, knownSecrets }).toEqual({ name: 'openrouter', knownSecrets: [key, 'sk-9876543210'] });
  });

  it('takes the named provider and the named model over what else is set', () => {
    const environment = { OPENROUTER_API_KEY: key, OPENAI_API_KEY: 'sk-9876543210', OPENAI_MODEL: 'set' };
    expect(providerFromEnvironment(environment, { provider: 'openai', model: 'named' }).choice).toEqual({
      name: 'openai',
      wire: 'openai-chat',
      baseUrl: 'https://api.openai.com/v1',
      model: 'named',
    });
  });

  it('needs no key for a server on this machine, and masks no placeholder key', () => {
    const environment = {
      OPENAI_BASE_URL: 'http://localhost:11434/v1/',
      OPENAI_MODEL: 'qwen',
      OPENAI_API_KEY: 'ollama',
    };
    const { OPENAI_API_KEY: _, ...keyless } = environment;
    const choice = { name: 'openai', wire: 'openai-chat', baseUrl: 'http://localhost:11434/v1', model: 'qwen' };
    expect(providerFromEnvironment(keyless)).toEqual({ choice, key: null, knownSecrets: [] });
    expect(providerFromEnvironment(environment)).toEqual({ choice, key: 'ollama', knownSecrets: [] });
  });

  it('needs no key for a server that the user named, wherever it is', () => {
    const environment = { OPENAI_BASE_URL: 'http://192.168.1.20:11434/v1', OPENAI_MODEL: 'qwen' };
    expect(providerFromEnvironment(environment)).toMatchObject({
      choice: { baseUrl: environment.OPENAI_BASE_URL },
      key: null,
    });
  });

  it('goes on at the address a run had before, unless the environment names another', () => {
    const wish = { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' };
    expect(providerFromEnvironment({}, wish).choice.baseUrl).toBe('http://127.0.0.1:1/v1');
    const moved = { OPENAI_BASE_URL: 'http://127.0.0.1:2/v1' };
    expect(providerFromEnvironment(moved, wish).choice.baseUrl).toBe('http://127.0.0.1:2/v1');
  });

  it.each([
    ['nothing is set', {}, {}, /No model provider is configured.*OPENROUTER_API_KEY and OPENROUTER_MODEL/],
    ['the key is missing', { OPENROUTER_MODEL: 'm' }, { provider: 'openrouter' }, /OPENROUTER_API_KEY is not set/],
    ['the key is blank', { OPENAI_API_KEY: '  ' }, { provider: 'openai', model: 'm' }, /OPENAI_API_KEY is not set/],
    ['the model is missing', { OPENAI_API_KEY: key }, {}, /No model is chosen.*OPENAI_MODEL.*--model/],
    [
      'the provider is unknown',
      { OPENAI_API_KEY: key },
      { provider: 'acme' },
      /no provider "acme".*openrouter, openai/,
    ],
    [
      'the address is none',
      { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'localhost' },
      {},
      /OPENAI_BASE_URL is not a usable/,
    ],
    ['the address holds a password', { OPENAI_BASE_URL: 'https://a:b@c/v1' }, {}, /OPENAI_BASE_URL is not a usable/],
    [
      'the address holds a bare password',
      { OPENAI_BASE_URL: 'https://:b@c/v1' },
      {},
      /OPENAI_BASE_URL is not a usable/,
    ],
    [
      'the key would go where another run was answered',
      { OPENAI_API_KEY: key },
      { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' },
      /answered by 127\.0\.0\.1:1, and OPENAI_API_KEY is not known to be for it.*Set OPENAI_BASE_URL/,
    ],
    [
      'the key has a line break',
      { OPENAI_API_KEY: `${key}\nx`, OPENAI_MODEL: 'm' },
      {},
      /OPENAI_API_KEY holds characters/,
    ],
    [
      'the key would travel unencrypted',
      { OPENAI_API_KEY: key, OPENAI_MODEL: 'm', OPENAI_BASE_URL: 'http://127.0.0.1.example.com/v1' },
      {},
      /unencrypted to 127\.0\.0\.1\.example\.com.*https in OPENAI_BASE_URL/,
    ],
  ])('refuses when %s, naming what to set and never the key', (_, environment, wish, expected) => {
    const refusal = refusalOf(environment, wish);
    expect(refusal).toMatch(expected);
    expect(refusal).toMatch(/^provider-not-configured: /);
    expect(refusal).not.toContain(key);
  });
});
