// What the model asks for at each step. In the kill test a step's effect is its number in a file, and its output a word
// that the command itself does not hold: a stand-in that quotes the command is not taken for its result.
import type { Profile, ToolUse } from './profiles.ts';
import type { ServerSettings } from './server-settings.ts';

export interface ScriptPlace {
  readonly profile: Profile;
  readonly script: ServerSettings['script'];
  readonly workspace: string;
  readonly conversation: string;
}

export const closingWords = 'All steps are done.';

/** The file that is read at each reading step. */
export const inputFile = 'input.txt';

export const stepKinds = ['read', 'write', 'run'] as const;
export type StepKind = (typeof stepKinds)[number];

export const toStepKind = (position: number): StepKind => stepKinds[position % stepKinds.length] ?? 'read';

export const toOutputFile = (conversation: string, position: number): string => `out-${conversation}-${position}.txt`;

export const toEffectsFile = (conversation: string): string => `effects-${conversation}.txt`;

export function toToolUse({ profile, script, workspace, conversation }: ScriptPlace, position: number): ToolUse {
  if (script === 'append') {
    const file = `${workspace}/${toEffectsFile(conversation)}`;
    return profile.run(`echo ${position} >> ${file}; printf 'done-%s\\n' ${position}`);
  }
  switch (toStepKind(position)) {
    case 'read':
      return profile.read({ workspace, file: inputFile });
    case 'write':
      return profile.write({ workspace, file: toOutputFile(conversation, position), content: `step ${position}\n` });
    case 'run':
      return profile.run('true');
  }
}

/** The steps among `results`, which are in the order of the steps, of which the result is not what the command printed. */
export const findStandIns = (results: readonly string[]): number[] =>
  results.flatMap((result, position) => (new RegExp(`done-${position}\\b`).test(result) ? [] : [position]));
