// The floor of many agents: so many bare loops at once, in one process and one journal.
import { openBareJournal, runLoop } from '../support/bare-loop.ts';
import { toMemberTask } from '../support/model-script.ts';
import { readFanSettings, writePeak } from './fan-settings.ts';

const { url, agents, steps, workspace, home } = readFanSettings();
const save = openBareJournal(home);
const never = new AbortController().signal;
await Promise.all(
  Array.from({ length: agents }, (_, member) =>
    runLoop({ url, task: toMemberTask(steps, member), workspace }, save, never),
  ),
);
writePeak();
