// This engine: its built command line, with a contract that names no check, in a home of its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { Place } from '../support/place.ts';
import { type CommandLine, toUrl, writeSettings } from './command-line.ts';

const program = join(import.meta.dirname, '../../../bin/io-studio');

/** Like the others' it says yes to everything; what a crash leaves open is therefore told to the model. */
const drive = (place: Place) => ['--home', toHome(place), '--approve', 'all', '--json'];

export const ioStudio: CommandLine = {
  package: 'io-studio-engine',
  program,
  profile: 'io-studio',
  prepare: (place) =>
    writeSettings(toContractFile(place), {
      goal: place.prompt,
      workspace: place.workspace,
      budgets: { steps: null },
    }),
  environment: (place) => ({ OPENAI_BASE_URL: `${toUrl(place)}/v1`, OPENAI_MODEL: 'scripted' }),
  start: (place) => ['run', '--contract', toContractFile(place), '--provider', 'openai', ...drive(place)],
  resume: (place) => ['resume', findRun(place), ...drive(place)],
};

const toHome = ({ home }: Place): string => join(home, 'io-studio');

const toContractFile = ({ home, conversation }: Place): string => join(home, `contract-${conversation}.json`);

const Run = z.looseObject({ runId: z.string(), title: z.string() });

function findRun(place: Place): string {
  const lines = execFileSync(program, ['runs', '--json', '--home', toHome(place)], { encoding: 'utf8' }).split('\n');
  const runs = lines.filter(Boolean).map((line) => Run.parse(JSON.parse(line)));
  const run = runs.find(({ title }) => title === place.prompt);
  if (run === undefined) throw new Error(`There is no run "${place.prompt}" in ${toHome(place)}`);
  return run.runId;
}
