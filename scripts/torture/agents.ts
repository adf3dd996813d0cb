// Fifty agents of one run, and a process that is killed four times at any moment and gone on with.
import { type KilledTree, type KillMoment, killTree, runTreeUntouched } from '../../test/crash/kill-tree.ts';
import { countAgents } from '../../test/crash/tree-scene.ts';
import { createRandom } from '../../test/support/create-random.ts';
import type { TortureRow } from './torture.ts';

const size = { waited: 24, detached: 17 };
const killsPerRound = 4;

export async function tortureAgents(rounds: number): Promise<readonly TortureRow[]> {
  const untouched = await runTreeUntouched(size);
  const runs: KilledTree[] = [];
  for (let seed = 1; seed <= rounds; seed++) {
    const run = await killTree(untouched, size, toMoments(seed, untouched.requests));
    runs.push(run);
    const { kills, isSameEnd, agents, twice } = run;
    const told = JSON.stringify({ kills, isSameEnd, agents, twice });
    process.stderr.write(`agents, round ${seed} of ${rounds}: ${told}\n`);
  }
  const sum = (count: (run: KilledTree) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const row = (counted: string, count: number): TortureRow => ({ counted, count, isFault: false });
  const fault = (counted: string, count: number): TortureRow => ({ counted, count, isFault: true });
  const kills = sum((run) => run.kills);
  return [
    row(`Runs of ${countAgents(size)} agents, each to be killed ${killsPerRound} times`, rounds),
    row('Processes killed with SIGKILL', kills),
    row('Processes that came to their end first', rounds * killsPerRound - kills),
    row(
      'Agents spawned, over all runs',
      sum(({ agents }) => agents - 1),
    ),
    fault(
      'Runs with another end, spend, workspace or transcript than the untouched one',
      sum(({ isSameEnd }) => (isSameEnd ? 0 : 1)),
    ),
    fault(
      'Agents that were spawned or ended twice',
      sum(({ twice }) => twice.agents + twice.reports),
    ),
    fault(
      'Kept replies that were asked for again',
      sum(({ twice }) => twice.replies),
    ),
    fault(
      'Messages that were sent twice',
      sum(({ twice }) => twice.mail),
    ),
    fault(
      'Requests at the server of which the journal knows nothing',
      sum(({ twice }) => twice.unjournaled),
    ),
  ];
}

function toMoments(seed: number, requests: number): KillMoment[] {
  const random = createRandom(seed);
  const moments = Array.from({ length: killsPerRound }, () => ({
    requests: 1 + Math.floor(random() * requests),
    thenMs: Math.floor(random() * 100),
  }));
  return moments.toSorted((left, right) => left.requests - right.requests);
}
