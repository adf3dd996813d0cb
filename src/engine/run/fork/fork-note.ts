// What the agent of a fork has to be told, because it cannot see it: that the task is another one, which files are not as they
// were at this point of its conversation, and which agents do not work for it. It names neither place nor time.
import type { ForkChange, ForkPlace } from '../../../shared/event/fork-events.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import { toPathText } from '../to-path-text.ts';
import { toPrompt } from '../to-prompt.ts';
import { isNotAsThen } from './fork-events.ts';
import type { LeftBehind } from './left-behind.ts';

export interface NoteOptions {
  readonly contract: TaskContract;
  readonly place: ForkPlace;
  readonly changed: readonly ForkChange[];
  readonly files: readonly PutBackFile[];
  readonly untold: number;
  readonly left: LeftBehind;
}

/** Null where everything is as the agent knows it. */
export function toForkNote({ contract, place, changed, files, untold, left }: NoteOptions): string | null {
  const other = files.filter(isNotAsThen).map(({ path }) => `- ${toPathText(path)}`);
  const hasOtherTask = changed.includes('goal') || changed.includes('contract');
  const parts = [
    place === 'here' ? anyFile : null,
    other.length === 0 ? null : [otherFiles, ...other.slice(0, maxLines), ...toMore(other.length)].join('\n'),
    untold === 0 || place === 'here' ? null : untoldFiles,
    ...toLeftText(left),
    hasOtherTask ? `From here on the task is another one.\n\n${toPrompt(contract)}` : null,
  ];
  const told = parts.filter((part) => part !== null);
  return told.length === 0 ? null : told.join('\n\n');
}

function toLeftText({ agents, mail }: LeftBehind): string[] {
  const names = agents.slice(0, maxLines).map((agentId) => `- ${agentId}`);
  return [
    ...(agents.length === 0 ? [] : [[otherAgents, ...names, ...toMore(agents.length)].join('\n')]),
    ...(mail === 0 ? [] : ['Messages of other agents that you had not read are not there any more.']),
  ];
}

const maxLines = 50;

const toMore = (lines: number): string[] => (lines > maxLines ? [`- and ${lines - maxLines} more`] : []);

const anyFile =
  'The files of the workspace may have changed since this point of the conversation. Read a file again before you change it.';

const otherAgents =
  'These agents do not work for you any more, and nobody tells you what they do. Spawn others for what is still to be done:';

const otherFiles = 'These files are not as they were at this point of the conversation. Read them again:';

const untoldFiles =
  'Processes have changed further files since this point of the conversation. Read a file again first.';
