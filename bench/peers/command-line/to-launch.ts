// How an agent's program is started at a place.
import { type Place, toPlainEnvironment } from '../support/place.ts';
import { type Launch, runMarked } from '../support/run-marked.ts';
import type { CommandLine } from './command-line.ts';
import { toProgram } from './command-lines.ts';

const limitMs = 60_000;

export function toLaunch(commandLine: CommandLine, place: Place, args: readonly string[]): Launch {
  return {
    command: [toProgram(commandLine), ...args],
    directory: place.workspace,
    environment: { ...toPlainEnvironment(place), ...commandLine.environment(place) },
  };
}

/** Makes the call that has to come before the first start, where there is one. */
export async function authorize(commandLine: CommandLine, place: Place, outputFile: string): Promise<void> {
  const args = commandLine.authorize?.(place);
  if (args === undefined) return;
  const mark = `${place.conversation}authorize`;
  await runMarked(toLaunch(commandLine, place, args), { mark, outputFile, limitMs, sampleMs: null }).ended;
}
