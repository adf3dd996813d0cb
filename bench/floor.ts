// The floor of a single run, with others that stream beside it for as long as that takes. It is a process of its own:
// `node bench/floor.ts SETTINGS`.
import { readSubjectSettings } from './subject/subject-settings.ts';
import { openBareJournal, runLoop } from './support/bare-loop.ts';

const { url, task, workspace, home, others } = readSubjectSettings();
const save = openBareJournal(home);
const stop = new AbortController();
const streaming = others.workspaces.map((place) =>
  runLoop({ url: others.url, task: others.task, workspace: place }, save, stop.signal),
);
await runLoop({ url, task, workspace }, save, stop.signal);
stop.abort();
await Promise.allSettled(streaming);
