// One kill: the work is begun, killed with all that it has started a random while after the request of a step, and resumed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '../../support/now-ms.ts';
import { median } from '../../support/statistics.ts';
import { toEffectsFile } from '../model/script.ts';
import type { ArrivedRequest } from '../model/server-settings.ts';
import { createPlace, type Place, toWord, toWorkspace } from '../support/place.ts';
import { type MarkedRun, runMarked } from '../support/run-marked.ts';
import { type ScriptedModel, startModel } from '../support/start-model.ts';
import { countEffects, type Effects } from './count-effects.ts';
import type { Subject } from './subject.ts';

/** After the request of `step` the kill waits this share of what a step takes. */
export interface Kill {
  readonly step: number;
  readonly share: number;
}

export interface TrialOptions {
  readonly base: string;
  readonly trial: number;
  readonly steps: number;
  readonly kill: Kill;
}

export interface TrialRow extends Effects {
  readonly name: string;
  readonly trial: number;
  readonly killedInStep: number;
  /** After the request of that step, when all were killed; null: it ended before it could be. */
  readonly killedAfterMs: number | null;
  readonly doneAtKill: number;
  /** How many results the first request after the resume holds; null: none came. */
  readonly resumedAt: number | null;
  /** Effects from before the kill that the resumed history does not hold. */
  readonly lost: number;
  /** Whether the model has seen all steps in the end. */
  readonly finished: boolean;
  readonly resumeCode: number | null;
  readonly resumeS: number;
  /** The end of the resumed output, where it did not finish. */
  readonly problem: string | null;
}

const latencyMs = 20;
const usualStepMs = 50;
const limitMs = 180_000;

export async function runTrial(subject: Subject, { base, trial, steps, kill }: TrialOptions): Promise<TrialRow> {
  const { name, profile } = subject;
  const conversation = `${toWord(name)}k${trial}`;
  const workspace = toWorkspace(base, conversation);
  await using model = await startModel({ profile, steps, script: 'append', workspace, latencyMs });
  const place = createPlace({ base, port: model.port, conversation });
  await subject.prepare(place, join(base, 'authorize.out'));
  const requests = followRequests(model, conversation);
  const begun = run('begun');
  const killedAfterMs = await killInStep(begun, requests, kill);
  await begun.ended;
  const doneAtKill = readEffects(place).length;
  const resumed = await run('resumed').ended;
  await model.stop();
  // By their time: what the model tells of the first run may come after that has ended.
  const after = requests.seen.filter(({ arrivedAt }) => arrivedAt >= resumed.startedAt);
  const resumedAt = after[0]?.position ?? null;
  const finished = after.at(-1)?.position === steps;
  const passed = requests.seen.at(-1)?.position ?? 0;
  const standIns = [...new Set(requests.seen.flatMap((request) => request.standIns))];
  return {
    name,
    trial,
    killedInStep: kill.step,
    killedAfterMs,
    doneAtKill,
    resumedAt,
    lost: resumedAt === null ? 0 : Math.max(0, doneAtKill - resumedAt),
    finished,
    ...countEffects(readEffects(place), standIns, passed),
    resumeCode: resumed.code,
    resumeS: (resumed.endedAt - resumed.startedAt) / 1000,
    problem: finished ? null : resumed.output.slice(-600),
  };

  function run(phase: 'begun' | 'resumed'): MarkedRun {
    const launch = phase === 'begun' ? subject.start(place, steps) : subject.resume(place, steps);
    const mark = `${conversation}-${phase}`;
    return runMarked(launch, { mark, outputFile: join(base, `${mark}.out`), limitMs, sampleMs: null });
  }
}

interface FollowedRequests {
  /** Steps of the task, in the order of their arrival. */
  readonly seen: readonly ArrivedRequest[];
  /** Resolves when the request of `step` arrives. */
  waitFor(step: number): Promise<void>;
}

function followRequests(model: ScriptedModel, conversation: string): FollowedRequests {
  const seen: ArrivedRequest[] = [];
  const waiting = new Map<number, () => void>();
  model.onArrival((request) => {
    if (request.kind !== 'main' || request.conversation !== conversation) return;
    seen.push(request);
    waiting.get(request.position)?.();
    waiting.delete(request.position);
  });
  return {
    seen,
    waitFor: (step) => new Promise((resolve) => void waiting.set(step, resolve)),
  };
}

/** After how long it was killed; null when it had ended before. */
async function killInStep(run: MarkedRun, requests: FollowedRequests, { step, share }: Kill): Promise<number | null> {
  const ended = run.ended.then(() => 'ended' as const);
  if ((await Promise.race([requests.waitFor(step), ended])) === 'ended') return null;
  const arrivedAt = nowMs();
  const delayMs = share * (latencyMs + toStepMs(requests.seen));
  await Promise.race([new Promise((resolve) => setTimeout(resolve, delayMs)), ended]);
  run.kill();
  return nowMs() - arrivedAt;
}

function toStepMs(seen: readonly ArrivedRequest[]): number {
  const gaps = seen.slice(1).map((request, index) => request.arrivedAt - (seen[index]?.arrivedAt ?? Number.NaN));
  return gaps.length === 0 ? usualStepMs : median(gaps);
}

function readEffects({ workspace, conversation }: Place): number[] {
  try {
    return readFileSync(join(workspace, toEffectsFile(conversation)), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return []; // No step has had its effect yet.
  }
}
