// OpenAI's Codex, without its sandbox and with it.
import { join } from 'node:path';
import { type CommandLine, toContinuePrompt, toUrl, writeSettings } from './command-line.ts';

export const codex = createCodex(['--dangerously-bypass-approvals-and-sandbox']);
export const codexSandbox = createCodex(['-s', 'workspace-write']);

function createCodex(containment: readonly string[]): CommandLine {
  const common = ['--json', '--skip-git-repo-check'];
  return {
    package: '@openai/codex',
    program: 'codex',
    profile: 'codex',
    prepare: (place) => writeSettings(join(place.home, '.codex/config.toml'), toSettings(toUrl(place))),
    environment: () => ({ LOCAL_KEY: 'x' }),
    start: (place) => ['exec', ...common, ...containment, '-C', place.workspace, place.prompt],
    resume: (place) => [
      ...['exec', ...containment, '-C', place.workspace],
      ...['resume', '--last', ...common, toContinuePrompt(place)],
    ],
  };
}

const toSettings = (url: string): string => `model = "scripted"
model_provider = "local"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 1
stream_max_retries = 1
`;
