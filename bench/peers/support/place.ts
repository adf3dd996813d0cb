// Where one run of a measured program works, and what it is told.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputFile } from '../model/script.ts';

export interface Place {
  /** Of the scripted model, on the loopback address. */
  readonly port: number;
  /** Home directory: settings, and what it keeps between runs. */
  readonly home: string;
  readonly workspace: string;
  /** Directory for the journal of a library, outside the workspace. */
  readonly store: string;
  /** Word by which the model knows the run; letters and digits. */
  readonly conversation: string;
  readonly prompt: string;
}

export interface PlaceOptions {
  readonly base: string;
  readonly port: number;
  /** Runs of one program share a home. */
  readonly conversation: string;
}

/** Known before the place is made: the model has to be told. */
export const toWorkspace = (base: string, conversation: string): string => join(base, `work-${conversation}`);

export function createPlace({ base, port, conversation }: PlaceOptions): Place {
  const place = {
    port,
    home: join(base, 'home'),
    workspace: toWorkspace(base, conversation),
    store: join(base, `store-${conversation}`),
    conversation,
    prompt: `CONV-${conversation} Do the scripted task.`,
  };
  for (const directory of [place.home, place.workspace, place.store]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(place.workspace, inputFile), 'hello\n'.repeat(20));
  return place;
}

/** Of a name, for what may hold only letters and digits. */
export const toWord = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '');

export const toPlainEnvironment = (place: Place): Record<string, string> => ({
  HOME: place.home,
  // Programs of npm packages run on the Node of this process, whatever the packages bring.
  PATH: `${dirname(process.execPath)}:${process.env.PATH ?? '/usr/bin:/bin'}`,
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  NODE_NO_WARNINGS: '1',
});
