import { describe, expect, it } from 'vitest';
import type { Backend } from './launch.ts';
import { defaultLimits, type Isolation, type SandboxSpec } from './sandbox.ts';
import { createSandbox } from './select-sandbox.ts';
import type { Advice } from './selection/advise.ts';
import type { Trials } from './selection/trials.ts';
import type { Trial } from './selection/try-enclosure.ts';

const spec: SandboxSpec = {
  argv: ['true'],
  directory: { mode: 'ephemeral', files: [], collect: [] },
  environment: {},
  limits: defaultLimits,
};

/** Starts nothing, and says by whom it was not started. */
const named = (isolation: Isolation): Backend => ({
  isolation,
  prepare: async () => ({ kind: 'not-started', stage: 'launcher', reason: `asked ${isolation}` }),
});
const works = (isolation: Isolation): Trial => ({
  kind: 'works',
  backend: named(isolation),
  keptByKernel: new Set(),
});
const fails = (reason: string, advice: Advice | null = null): Trial => ({ kind: 'fails', reason, advice });

/** Trials whose ends are known beforehand; keeps in mind which were made. */
function knownTrials(ends: Readonly<Partial<Record<Isolation, Trial>>>): Trials & { readonly attempted: Isolation[] } {
  const attempted: Isolation[] = [];
  const attempt: Trials['attempt'] = async ({ id }) => {
    attempted.push(id);
    return ends[id] ?? fails('nobody knows it');
  };
  return {
    attempted,
    candidates: (['bwrap', 'landlock', 'none'] as const).map((id) => ({
      id,
      backend: named(id),
      version: () => null,
    })),
    attempt,
    examine: async ({ id }) => ({ id, ok: false, version: null, reason: 'nobody looked', advice: null }),
  };
}

const signal = new AbortController().signal;
const install: Advice = { text: 'Install bubblewrap', command: 'apt install -y bubblewrap' };

describe('the sandbox that commands get', () => {
  it.each<[string, Readonly<Partial<Record<Isolation, Trial>>>, 'isolated' | 'caps-only', Isolation]>([
    ['the strongest', { bwrap: works('bwrap'), landlock: works('landlock'), none: works('none') }, 'isolated', 'bwrap'],
    ['the next one', { bwrap: fails('no'), landlock: works('landlock'), none: works('none') }, 'isolated', 'landlock'],
    [
      'the strongest',
      { bwrap: works('bwrap'), landlock: works('landlock'), none: works('none') },
      'caps-only',
      'bwrap',
    ],
    ['the floor', { bwrap: fails('no'), landlock: fails('no'), none: works('none') }, 'caps-only', 'none'],
  ])('is %s that works (%#)', async (_, ends, minimum, isolation) => {
    const sandbox = createSandbox({ minimum, trials: knownTrials(ends) });
    const result = await sandbox.run(spec, signal);
    expect([sandbox.isolation, result]).toEqual([
      isolation,
      { kind: 'not-started', program: 'true', stage: 'launcher', reason: `asked ${isolation}` },
    ]);
  });

  it('is none where nothing encloses and the floor was not accepted: the floor is not even tried', async () => {
    const trials = knownTrials({
      bwrap: fails('bubblewrap is not installed', install),
      landlock: fails('too old'),
      none: works('none'),
    });
    const sandbox = createSandbox({ minimum: 'isolated', trials });
    expect(await sandbox.run(spec, signal)).toEqual({
      kind: 'not-started',
      program: 'true',
      stage: 'unavailable',
      reason: 'nothing on this machine can enclose a command (bwrap: bubblewrap is not installed; landlock: too old)',
      advice: 'Install bubblewrap: apt install -y bubblewrap',
    });
    expect([sandbox.isolation, trials.attempted]).toEqual([null, ['bwrap', 'landlock']]);
  });

  it('is chosen once, however many commands ask at the same time, and nothing is tried before', async () => {
    const trials = knownTrials({ bwrap: fails('no'), landlock: works('landlock'), none: works('none') });
    const sandbox = createSandbox({ minimum: 'isolated', trials });
    const before = [sandbox.isolation, ...trials.attempted];
    await Promise.all([
      sandbox.run(spec, signal),
      sandbox.run(spec, signal),
      sandbox.ready(),
      sandbox.run(spec, signal),
    ]);
    expect([before, trials.attempted, await sandbox.ready()]).toEqual([[null], ['bwrap', 'landlock'], 'landlock']);
  });

  it('does not run a command again anywhere else when its own sandbox fails', async () => {
    const trials = knownTrials({ bwrap: works('bwrap'), landlock: works('landlock'), none: works('none') });
    const sandbox = createSandbox({ minimum: 'caps-only', trials });
    for (let times = 0; times < 3; times++) {
      expect(await sandbox.run(spec, signal)).toMatchObject({ stage: 'launcher', reason: 'asked bwrap' });
    }
    expect(trials.attempted).toEqual(['bwrap']);
  });

  it('tells of everything there is when it is asked to, and what of it commands get', async () => {
    const trials = knownTrials({ bwrap: fails('no'), landlock: works('landlock'), none: works('none') });
    const { minimum, selected, candidates } = await createSandbox({ minimum: 'isolated', trials }).probe();
    expect([minimum, selected, candidates.map(({ id }) => id)]).toEqual([
      'isolated',
      'landlock',
      ['bwrap', 'landlock', 'none'],
    ]);
  });
});
