// The sandbox that commands get: the strongest backend that works on this machine, tried before the first command. A command
// whose sandbox fails is not run again anywhere else, and where none is strong enough none is run at all.
import { isIsolatedEnough, type MinimumIsolation, weakestEnclosure } from '../policy/isolation.ts';
import type { Isolation, Sandbox } from './sandbox.ts';
import { type Advice, toAdviceText } from './selection/advise.ts';
import type { CandidateProbe, SandboxProbe } from './selection/sandbox-probe.ts';
import type { Trials } from './selection/trials.ts';
import { toSandbox } from './to-sandbox.ts';

export interface ProbedSandbox extends Sandbox {
  /** Chooses, where that has not been done yet. Until then, and where nothing is strong enough, `isolation` is null. */
  ready(): Promise<Isolation | null>;
  /** Why no command runs, and what a person can do about it; null where commands do run. Chooses like `ready`. */
  findObstacle(): Promise<SandboxObstacle | null>;
  /** Tries everything, also what is not needed, and tells of it. */
  probe(): Promise<SandboxProbe>;
}

export interface SandboxObstacle {
  readonly reason: string;
  readonly advice: string | null;
}

export interface CreateSandboxOptions {
  readonly minimum: MinimumIsolation;
  /** Shared by all sandboxes of a process, whatever their minimum. */
  readonly trials: Trials;
}

type Choice = { readonly kind: 'chosen'; readonly sandbox: Sandbox } | ({ readonly kind: 'none' } & SandboxObstacle);

export function createSandbox({ minimum, trials }: CreateSandboxOptions): ProbedSandbox {
  let choosing: Promise<Choice> | null = null;
  let isolation: Isolation | null = null;
  const choose = async (): Promise<Choice> => {
    choosing ??= chooseBackend(minimum, trials);
    const choice = await choosing;
    isolation = choice.kind === 'chosen' ? choice.sandbox.isolation : null;
    return choice;
  };
  return {
    get isolation() {
      return isolation;
    },
    async ready() {
      await choose();
      return isolation;
    },
    async findObstacle() {
      const choice = await choose();
      return choice.kind === 'chosen' ? null : { reason: choice.reason, advice: choice.advice };
    },
    async run(spec, signal) {
      const choice = await choose();
      if (choice.kind === 'chosen') return choice.sandbox.run(spec, signal);
      const { reason, advice } = choice;
      const told = advice === null ? {} : { advice };
      return { kind: 'not-started', program: spec.argv[0], stage: 'unavailable', reason, ...told };
    },
    async probe() {
      const candidates: CandidateProbe[] = [];
      // One after the other: trials at the same time would stand in each other's way on a small machine.
      for (const candidate of trials.candidates) candidates.push(await trials.examine(candidate));
      await choose();
      return { minimum, selected: isolation, candidates };
    },
  };
}

async function chooseBackend(minimum: MinimumIsolation, trials: Trials): Promise<Choice> {
  const rejected: { readonly id: Isolation; readonly reason: string; readonly advice: Advice | null }[] = [];
  for (const candidate of trials.candidates) {
    const { id } = candidate;
    if (!isStrongEnough(id, minimum)) continue;
    const trial = await trials.attempt(candidate);
    if (trial.kind === 'works') return { kind: 'chosen', sandbox: toSandbox(trial.backend) };
    rejected.push({ id, reason: trial.reason, advice: trial.advice });
  }
  const advice = rejected.find(({ advice }) => advice !== null)?.advice ?? null;
  const reasons = rejected.map(({ id, reason }) => `${id}: ${reason}`).join('; ');
  return {
    kind: 'none',
    reason: `nothing on this machine can enclose a command${reasons === '' ? '' : ` (${reasons})`}`,
    advice: advice === null ? null : toAdviceText(advice),
  };
}

const isStrongEnough = (isolation: Isolation, minimum: MinimumIsolation): boolean =>
  minimum === 'caps-only' || isIsolatedEnough(isolation, weakestEnclosure);
