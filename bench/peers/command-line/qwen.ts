// Qwen Code.
import { join } from 'node:path';
import { type CommandLine, toContinuePrompt, toUrl, writeSettings } from './command-line.ts';

const common = ['--yolo', '--auth-type', 'openai', '-m', 'scripted', '-o', 'stream-json'];

export const qwen: CommandLine = {
  package: '@qwen-code/qwen-code',
  program: 'qwen',
  profile: 'qwen',
  prepare: (place) =>
    writeSettings(join(place.home, '.qwen/settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
      security: { auth: { selectedType: 'openai' } },
    }),
  environment: (place) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${toUrl(place)}/v1`, OPENAI_MODEL: 'scripted' }),
  start: (place) => [...common, '-p', place.prompt],
  resume: (place) => [...common, '-c', '-p', toContinuePrompt(place)],
};
