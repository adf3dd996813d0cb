// Anthropic's Claude Code.
import { type CommandLine, toContinuePrompt, toUrl } from './command-line.ts';

const common = [
  ...['-p', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5'],
  ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Read,Write,Bash'],
];

export const claude: CommandLine = {
  package: '@anthropic-ai/claude-code',
  program: 'claude',
  profile: 'claude',
  prepare: () => {},
  environment: (place) => ({
    ANTHROPIC_BASE_URL: toUrl(place),
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  start: (place) => [...common, place.prompt],
  resume: (place) => [...common, '--continue', toContinuePrompt(place)],
};
