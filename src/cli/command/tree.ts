// `io-studio tree RUN`: the agents of a run, what each is doing, what it has spent, and what it has left.
import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, type RunState, toTree } from '../../engine/index.ts';
import { foldRun } from '../../shared/fold-run.ts';
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { toTreeLines } from '../tree-lines.ts';
import { createTreeJson, createTreeLog, createTreeScreen, type ShowTree } from '../tree-view.ts';
import { untilStopped } from '../until-stopped.ts';
import { toVerdictLines } from '../verdict-lines.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, watch: { type: 'boolean', default: false } } as const;

export async function treeCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'tree');
  const { watch, json } = values;
  return withEngine(values.home, async (engine) => {
    const state = await engine.readRun(runId);
    if (watch) return await watchTree(engine, state, json);
    if (json) createTreeJson(write)(toTree(state));
    else writeLines(toTreeLines(toTree(state)));
    return 0;
  });
}

const write = (text: string): void => void process.stdout.write(text);

/** As it is, and then as it becomes, whoever drives it, until it ends or Ctrl-C. */
async function watchTree(engine: Engine, state: RunState, json: boolean): Promise<number> {
  const show = openView(json);
  const exitCode = await untilStopped(async (signal) => {
    show(toTree(state));
    if (state.outcome === null) await followTree(engine, state, { show, signal });
  });
  if (!json) writeLines(toVerdictLines(state));
  return exitCode;
}

function openView(json: boolean): ShowTree {
  if (json) return createTreeJson(write);
  const canRedraw = process.stdout.isTTY && process.env.TERM !== 'dumb';
  return canRedraw ? createTreeScreen(process.stdout) : createTreeLog(write);
}

/** Nobody reads faster than that; what happens meanwhile is shown together. */
const drawEveryMs = 100;

async function followTree(
  engine: Engine,
  state: RunState,
  { show, signal }: { readonly show: ShowTree; readonly signal: AbortSignal },
): Promise<void> {
  for await (const events of engine.watchEvents(state.runId, state.seq, signal)) {
    foldRun(state, events);
    show(toTree(state));
    if (state.outcome !== null) return;
    await pause(drawEveryMs, null, { signal }).catch(() => null);
  }
}
