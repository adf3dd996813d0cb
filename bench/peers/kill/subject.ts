// What can be killed and resumed: agents on the command line, and libraries that keep a journal, behind one form.
import { commandLines, isInstalled as isCommandLineInstalled } from '../command-line/command-lines.ts';
import { authorize, toLaunch as toCommandLaunch } from '../command-line/to-launch.ts';
import { isInstalled as isLibraryInstalled, libraries } from '../engines/libraries.ts';
import { toLaunch as toLibraryLaunch } from '../engines/to-launch.ts';
import type { ProfileName } from '../model/profiles.ts';
import { choose } from '../support/choose.ts';
import type { Place } from '../support/place.ts';
import type { Launch } from '../support/run-marked.ts';

export interface Subject {
  readonly name: string;
  readonly profile: ProfileName;
  prepare(place: Place, outputFile: string): Promise<void>;
  start(place: Place, steps: number): Launch;
  resume(place: Place, steps: number): Launch;
}

const commandLineSubjects = Object.entries(commandLines).map(([name, commandLine]) => ({
  name,
  isInstalled: () => isCommandLineInstalled(commandLine),
  profile: commandLine.profile,
  prepare: async (place: Place, outputFile: string) => {
    commandLine.prepare(place);
    await authorize(commandLine, place, outputFile);
  },
  start: (place: Place) => toCommandLaunch(commandLine, place, commandLine.start(place)),
  resume: (place: Place) => toCommandLaunch(commandLine, place, commandLine.resume(place)),
}));

/** DBOS keeps its journal in a Postgres, not in a directory. */
const isKept = (name: string): boolean => libraries[name]?.keeps === 'journal' || name === 'dbos+postgres';

const librarySubjects = Object.entries(libraries).flatMap(([name, library]) => {
  if (!isKept(name)) return [];
  const toLaunch = (begin: 'new' | 'again') => (place: Place, steps: number) =>
    toLibraryLaunch(library, place, { steps, agents: 1, begin });
  const rest = { profile: library.profile, start: toLaunch('new'), resume: toLaunch('again') };
  return [{ name, isInstalled: () => isLibraryInstalled(library), prepare: async () => {}, ...rest }];
});

const subjects = Object.fromEntries(
  [...commandLineSubjects, ...librarySubjects].map((subject) => [subject.name, subject]),
);

export const subjectNames = Object.keys(subjects);

/** Ends the process with what to do when there is none, or it is not installed. */
export function findSubject(name: string): Subject {
  const [[, subject] = []] = choose({ known: subjects, names: [name], isInstalled: (known) => known.isInstalled() });
  if (subject === undefined) throw new Error(`Nothing was chosen by "${name}"`);
  return subject;
}
