// An agent that is started from the command line: how it is set up, started and resumed without anybody at it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProfileName } from '../model/profiles.ts';
import type { Place } from '../support/place.ts';

export interface CommandLine {
  /** The npm package whose version is reported. */
  readonly package: string;
  /** Its program among the installed ones; an absolute path stands for itself. */
  readonly program: string;
  readonly profile: ProfileName;
  /** Writes its settings below the home. */
  prepare(place: Place): void;
  /** Arguments of a call that has to come before the first start. */
  authorize?(place: Place): string[];
  environment(place: Place): Record<string, string>;
  start(place: Place): string[];
  /** Arguments that go on with the run of this place after a kill. */
  resume(place: Place): string[];
}

export const toUrl = ({ port }: Place): string => `http://127.0.0.1:${port}`;

export function writeSettings(file: string, settings: object | string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2));
}

/** What a resumed client is told where it wants a prompt. */
export const toContinuePrompt = ({ conversation }: Place): string => `CONV-${conversation} Continue.`;
