// opencode.
import { join } from 'node:path';
import { type CommandLine, toContinuePrompt, toUrl, writeSettings } from './command-line.ts';

const common = ['--pure', '-m', 'local/scripted', '--format', 'json'];

export const opencode: CommandLine = {
  package: 'opencode-ai',
  program: 'opencode',
  profile: 'opencode',
  prepare: (place) => writeSettings(join(place.home, '.config/opencode/opencode.json'), toSettings(toUrl(place))),
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  start: (place) => ['run', ...common, place.prompt],
  resume: (place) => ['run', '-c', ...common, toContinuePrompt(place)],
};

function toSettings(url: string): object {
  const model = { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8000 } };
  return {
    autoupdate: false,
    share: 'disabled',
    permission: 'allow',
    model: 'local/scripted',
    small_model: 'local/scripted',
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'local',
        options: { baseURL: `${url}/v1`, apiKey: 'x' },
        models: { scripted: model },
      },
    },
  };
}
