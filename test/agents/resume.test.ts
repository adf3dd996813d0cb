// A tree of agents whose process is killed with SIGKILL goes on as a whole: each agent from its own last committed step. Many
// more agents and kills are in `npm run torture -- agents`.
import { describe, expect, it } from 'vitest';
import { type KillMoment, killTree, runTreeUntouched } from '../crash/kill-tree.ts';
import { countAgents } from '../crash/tree-scene.ts';
import { createRandom } from '../support/create-random.ts';

const size = { waited: 5, detached: 4 };

describe('a tree of agents that is killed', () => {
  it('at four random moments goes on without an agent, a reply, an edit or a message twice', async () => {
    const seed = Number(process.env.IO_STUDIO_KILL_SEED ?? Date.now() % 1_000_000);
    const random = createRandom(seed);
    const untouched = await runTreeUntouched(size);
    expect(untouched.end.outcome).toEqual({ kind: 'finished', checked: false });
    const moments = Array.from(
      { length: 4 },
      (): KillMoment => ({
        requests: 1 + Math.floor(random() * untouched.requests),
        thenMs: Math.floor(random() * 50),
      }),
    ).toSorted((left, right) => left.requests - right.requests);
    const killed = await killTree(untouched, size, moments);
    console.log(`seed ${seed}: ${killed.kills} kills at ${JSON.stringify(moments)}`);
    expect(killed.end, `seed ${seed}`).toEqual(untouched.end);
    const none = { agents: 0, replies: 0, reports: 0, mail: 0, unjournaled: 0 };
    expect(killed, `seed ${seed}`).toMatchObject({ isSameEnd: true, agents: countAgents(size), twice: none });
  }, 300_000);
});
