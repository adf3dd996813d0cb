// Reads of one reply run side by side and end in any order. The journal knows nothing of that order, and neither does a run
// that is gone on with: a call is its place in its reply.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { driveRun } from '../../src/engine/run/drive-run.ts';
import { createRecorder } from '../../src/engine/run/recorder.ts';
import { createRunClock, systemClock } from '../../src/engine/run/run-clock.ts';
import type { Tool } from '../../src/engine/tool/tool.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { createRandom } from '../support/create-random.ts';
import { type OpenedDriver, openDriver, toReply } from '../support/open-driver.ts';

const names = ['first', 'second', 'third'];
const never = new AbortController().signal;

describe('three reads of one reply (dbos-inc/dbos-transact-py#688)', () => {
  it('are journaled under the same keys and told in the same order, whichever ends first, killed among them or not, 100 times', async () => {
    const random = createRandom(688);
    const found = new Map<string, number>();
    for (let round = 0; round < 100; round++) {
      const kept = await readAndGoOn(shuffle(random), Math.floor(random() * 4), shuffle(random));
      found.set(kept, (found.get(kept) ?? 0) + 1);
    }
    expect([...found].map(([kept, times]) => [JSON.parse(kept), times])).toEqual([
      [
        {
          results: names.map((name, call) => ({ step: 1, call, tool: name, status: 'ok' })),
          told: names.map((name, call) => [`c${call}`, `what ${name} read`]),
          outcome: { kind: 'finished', checked: false },
        },
        100,
      ],
    ]);
  });
});

/** One run; the process that drives it ends when so many reads are over, if that is not all of them. */
async function readAndGoOn(order: readonly number[], killedAfter: number, then: readonly number[]): Promise<string> {
  const replies = [
    toReply(
      '',
      names.map((tool) => ({ tool, arguments: {} })),
    ),
    toReply('Done.'),
  ];
  await using driver = await openDriver({ files: { 'a.txt': 'text' }, replies });
  const first = driveRun({ ...driver.ports, tools: createReads(order, killedAfter) }, never);
  const outcome = await first.catch((error) => {
    if (error !== killed) throw error;
    return driveRun({ ...takeUp(driver), tools: createReads(then, names.length) }, never);
  });
  const results = driver.events('call-finish').map(({ step, call, tool, status }) => ({ step, call, tool, status }));
  const told = driver.requests
    .at(-1)
    ?.messages.flatMap((each) => (each.role === 'result' ? [[each.callId, each.text]] : []));
  return JSON.stringify({ results, told, outcome });
}

/** A driver that knows nothing but what the journal holds. */
function takeUp({ ports, journal: { reader, writer }, lease }: OpenedDriver): OpenedDriver['ports'] {
  const state = foldRun(null, reader.readEvents(lease.runId));
  if (state === null) throw new Error('The run has no events');
  const clock = createRunClock(systemClock, state.activeMs);
  const recorder = createRecorder({ state, lease, reader, writer, clock });
  const { provider, posture, policyHash, contextTokens, price } = state.settings;
  recorder.emit(
    { agentId: rootAgentId, step: 1 },
    { type: 'run-resume', provider, posture, policyHash, contextTokens, price },
  );
  return { ...ports, clock, recorder };
}

const killed = new Error('The process has ended');

/** Reads that end in this order; once so many have, nothing of the process goes on. */
function createReads(order: readonly number[], killedAfter: number): ReadonlyMap<string, Tool> {
  const gates = names.map(() => Promise.withResolvers<void>());
  let begun = 0;
  let ended = 0;
  const letNext = () => {
    const gate = gates[order[ended] ?? -1];
    if (ended === killedAfter) gate?.reject(killed);
    else gate?.resolve();
  };
  const run = async (name: string, place: number) => {
    if (++begun === names.length) letNext();
    await gates[place]?.promise;
    ended += 1;
    letNext();
    return { status: 'ok', text: `what ${name} read`, origin: 'repository', seen: [] } as const;
  };
  const toTool = (name: string, place: number): Tool => ({
    name,
    description: name,
    arguments: z.unknown(),
    kind: 'read',
    target: () => 'a.txt',
    acts: () => [{ kind: 'read', target: 'a.txt' }],
    prepare: async () => ({ kind: 'look', run: () => run(name, place) }),
  });
  return new Map(names.map((name, place) => [name, toTool(name, place)]));
}

function shuffle(random: () => number): number[] {
  const sorted = names.map((_name, place) => ({ place, rank: random() })).sort((a, b) => a.rank - b.rank);
  return sorted.map(({ place }) => place);
}
