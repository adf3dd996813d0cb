// pi, the coding agent.
import { join } from 'node:path';
import { type CommandLine, toContinuePrompt, toUrl, writeSettings } from './command-line.ts';

const common = ['--mode', 'json', '--offline', '--provider', 'local', '--model', 'scripted'];

export const pi: CommandLine = {
  package: '@mariozechner/pi-coding-agent',
  program: 'pi',
  profile: 'pi',
  prepare: (place) => {
    const local = {
      baseUrl: `${toUrl(place)}/v1`,
      api: 'openai-completions',
      apiKey: 'x',
      models: [{ id: 'scripted' }],
    };
    writeSettings(join(place.home, '.pi/agent/models.json'), { providers: { local } });
  },
  environment: () => ({ PI_OFFLINE: '1' }),
  start: (place) => ['-p', ...common, place.prompt],
  resume: (place) => ['-p', '-c', ...common, toContinuePrompt(place)],
};
