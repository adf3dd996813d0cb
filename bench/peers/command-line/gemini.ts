// Google's Gemini CLI.
import { join } from 'node:path';
import { type CommandLine, toContinuePrompt, toUrl, writeSettings } from './command-line.ts';

const common = ['--yolo', '--skip-trust', '-m', 'gemini-2.5-pro', '-o', 'stream-json'];

export const gemini: CommandLine = {
  package: '@google/gemini-cli',
  program: 'gemini',
  profile: 'gemini',
  prepare: (place) =>
    writeSettings(join(place.home, '.gemini/settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      security: { auth: { selectedType: 'gemini-api-key' } },
    }),
  environment: (place) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: toUrl(place) }),
  start: (place) => [...common, '-p', place.prompt],
  resume: (place) => [...common, '-r', 'latest', '-p', toContinuePrompt(place)],
};
