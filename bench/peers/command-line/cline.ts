// Cline.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../support/place.ts';
import { type CommandLine, toContinuePrompt, toUrl } from './command-line.ts';

export const cline: CommandLine = {
  package: 'cline',
  program: 'cline',
  profile: 'cline',
  prepare: () => {},
  authorize: (place) => ['auth', '-p', 'openai', '-k', 'x', '-m', 'scripted', '-b', `${toUrl(place)}/v1`],
  environment: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' }),
  start: (place) => ['--json', '-c', place.workspace, place.prompt],
  resume: (place) => ['--json', '-c', place.workspace, '--id', findNewestSession(place), toContinuePrompt(place)],
};

function findNewestSession({ home }: Place): string {
  const directory = join(home, '.cline/data/sessions');
  const sessions = readdirSync(directory).map((id) => ({ id, changedAt: statSync(join(directory, id)).mtimeMs }));
  const [newest] = sessions.toSorted((one, other) => other.changedAt - one.changedAt);
  if (newest === undefined) throw new Error(`There is no session in ${directory}`);
  return newest.id;
}
