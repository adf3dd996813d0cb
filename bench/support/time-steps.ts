// Lets the floor or the engine do one run in a process of its own, and takes the time of its steps at the model server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectSettings } from '../subject/subject-settings.ts';
import { streamingTask, toWorkingTask } from './model-script.ts';
import { type AnsweredRequest, type ModelServer, startModelServer } from './model-server.ts';
import { measureBytes, openScratch } from './scratch.ts';
import { startNode, toEnd } from './start-node.ts';

export type Subject = 'floor' | 'engine';

/** The model of the measured run, and another one in a process of its own for the runs beside it. */
export interface Models {
  readonly working: ModelServer;
  readonly streaming: ModelServer;
}

export interface TimeStepsOptions {
  readonly subject: Subject;
  readonly steps: number;
  /** Runs that stream in the same process meanwhile. */
  readonly others: number;
}

export interface TimedRun {
  /** For each step the time from the last byte of its reply to the arrival of the next request. */
  readonly stepsMs: readonly number[];
  /** What the run left on the disk, besides the files of its workspace. */
  readonly storedBytes: number;
}

export async function withModels<Result>(work: (models: Models) => Promise<Result>): Promise<Result> {
  await using working = await startModelServer();
  await using streaming = await startModelServer();
  return await work({ working, streaming });
}

export async function timeSteps(models: Models, { subject, steps, others }: TimeStepsOptions): Promise<TimedRun> {
  using scratch = openScratch();
  const home = join(scratch.path, 'home');
  mkdirSync(home);
  const settings: SubjectSettings = {
    url: models.working.url,
    task: toWorkingTask(steps),
    workspace: scratch.createWorkspace('work'),
    home,
    others: {
      url: models.streaming.url,
      task: streamingTask,
      workspaces: Array.from({ length: others }, (_, number) => scratch.createWorkspace(`other-${number}`)),
    },
  };
  const { requests } = await models.working.recordRequests(() =>
    toEnd(startNode(join(import.meta.dirname, '..', scripts[subject]), [JSON.stringify(settings)])),
  );
  const stepsMs = toStepTimes(requests);
  if (stepsMs.length !== steps) throw new Error(`The ${subject} took ${stepsMs.length} steps instead of ${steps}`);
  return { stepsMs, storedBytes: measureBytes(home) };
}

const scripts = { floor: 'floor.ts', engine: 'subject/engine.ts' } as const;

function toStepTimes(requests: readonly AnsweredRequest[]): number[] {
  return requests.slice(1).map((next, step) => {
    const before = requests[step];
    if (before === undefined || before.position !== step || next.position !== step + 1) {
      throw new Error(`Request ${step + 1} is not the one that follows reply ${step}`);
    }
    return next.arrivedAt - before.finishedAt;
  });
}
