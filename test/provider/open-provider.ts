// A provider against a scripted server, with everything closed at the end of the test.
import { createDispatcher } from '../../src/engine/net/dispatcher.ts';
import type { ModelDelta, ModelProvider, ModelRequest, ModelResult } from '../../src/engine/provider/model-provider.ts';
import { createOpenAiChatProvider } from '../../src/engine/provider/openai-chat/openai-chat-provider.ts';
import type { Script } from '../support/scripted-model-script.ts';
import { type ScriptedModelServer, startScriptedModelServer } from '../support/scripted-model-server.ts';

export const testKey = 'sk-scripted-0123456789';

export const testRequest: ModelRequest = {
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Grüße' },
  ],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  maxOutputTokens: 100,
};

export interface OpenedProvider extends AsyncDisposable {
  readonly provider: ModelProvider;
  ask(request?: ModelRequest, onDelta?: (delta: ModelDelta) => void, signal?: AbortSignal): Promise<ModelResult>;
}

export interface PlayedScript extends OpenedProvider {
  readonly server: ScriptedModelServer;
}

export interface OpenOptions {
  readonly idleTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly environment?: Record<string, string>;
}

/** Opens a provider for the server at `baseUrl`. */
export function openProvider(baseUrl: string, options: OpenOptions = {}): OpenedProvider {
  const { idleTimeoutMs, connectTimeoutMs, environment = {} } = options;
  const dispatcher = createDispatcher({ environment, ...(connectTimeoutMs ? { connectTimeoutMs } : {}) });
  const provider = createOpenAiChatProvider({
    choice: { name: 'openai', wire: 'openai-chat', baseUrl, model: 'scripted' },
    key: testKey,
    dispatcher,
    ...(idleTimeoutMs ? { idleTimeoutMs } : {}),
  });
  return {
    provider,
    ask: (request = testRequest, onDelta = () => {}, signal = new AbortController().signal) =>
      provider.complete(request, onDelta, signal),
    async [Symbol.asyncDispose]() {
      await provider.close();
      await dispatcher.close();
    },
  };
}

/** Starts a server for `script` and opens a provider for it. */
export async function playScript(script: Script, options: OpenOptions = {}): Promise<PlayedScript> {
  const server = await startScriptedModelServer(script);
  const opened = openProvider(server.url, options);
  return {
    ...opened,
    server,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
