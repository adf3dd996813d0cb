import { describe, expect, it } from 'vitest';
import type { SandboxTree, TreeUsage } from '../launch.ts';
import type { ControlGroup, GroupUsage } from './control-group.ts';
import { withControlGroup } from './with-control-group.ts';

const looked: TreeUsage = {
  processes: 7,
  cpuMs: 11,
  memoryUpperBytes: 2000,
  exactMemoryBytes: () => 1000,
  disk: { usedBytes: 1, isFull: false },
};
const unknown: GroupUsage = { processes: null, cpuMs: null, memoryBytes: null };

/** A tree and a group that answer with what is in it at the moment. */
function createState() {
  return { looked: looked as TreeUsage | null, used: unknown, isTreeGone: true, isGroupEmpty: true, killed: '' };
}

function join(state: ReturnType<typeof createState>, keeps: ControlGroup['keeps'] = new Set(['memoryBytes'])) {
  const tree: SandboxTree = {
    measure: () => state.looked,
    kill() {
      state.killed += ' tree';
    },
    isGone: () => state.isTreeGone,
  };
  return withControlGroup(tree, {
    path: '/g',
    keeps,
    readUsage: () => state.used,
    readRefusals: () => ({ memoryBytes: 5 }),
    kill() {
      state.killed += ' group';
    },
    isEmpty: () => state.isGroupEmpty,
    [Symbol.asyncDispose]: async () => undefined,
  });
}

function measure(used: GroupUsage, keeps?: ControlGroup['keeps']) {
  const state = createState();
  const tree = join(state, keeps);
  state.used = used;
  const usage = tree.measure();
  return usage === null ? null : { ...usage, exactMemoryBytes: usage.exactMemoryBytes(0) };
}

describe('processes in a control group', () => {
  it('are measured by what it counts, and the disk by looking', () => {
    expect(measure({ processes: 9, cpuMs: 20, memoryBytes: 500 })).toEqual({
      processes: 9,
      cpuMs: 20,
      memoryUpperBytes: 500,
      exactMemoryBytes: 500,
      disk: { usedBytes: 1, isFull: false },
    });
  });

  it('are measured by looking for what it does not tell', () => {
    expect(measure(unknown)).toEqual({ ...looked, exactMemoryBytes: 1000 });
  });

  it('are not said to hold what the kernel could take back where nobody keeps it from growing', () => {
    expect(measure({ ...unknown, memoryBytes: 500 }, new Set())).toMatchObject({ memoryUpperBytes: 2000 });
  });

  it('have not used the processor time that was spent before they began', () => {
    const state = createState();
    state.used = { ...unknown, cpuMs: 30 };
    const tree = join(state);
    state.used = { ...unknown, cpuMs: 42 };
    expect(tree.measure()?.cpuMs).toBe(12);
  });

  it('are none where none is left to be looked at', () => {
    const state = { ...createState(), looked: null };
    expect(join(state).measure()).toBeNull();
  });

  it('are ended both ways, and gone when both say so', () => {
    const state = createState();
    const tree = join(state);
    tree.kill();
    const gone = [false, true].flatMap((isTreeGone) =>
      [false, true].map((isGroupEmpty) => {
        Object.assign(state, { isTreeGone, isGroupEmpty });
        return tree.isGone();
      }),
    );
    expect([state.killed, gone, tree.readRefusals?.()]).toEqual([
      ' group tree',
      [false, false, false, true],
      { memoryBytes: 5 },
    ]);
  });
});
