import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver } from '../../../test/support/open-driver.ts';
import type { LeaseOwner } from '../journal/journal.ts';
import type { OwnerEnding } from '../sandbox/leftovers/end-owner-processes.ts';
import { takeLease } from './take-lease.ts';

/** A writer to whom the run's driver has died. Only that is pretended: the lease itself is a real one. */
async function openDead(driver: OpenedDriver) {
  const { reader, writer } = driver.journal;
  const owner = reader.readOwner(driver.lease.runId);
  if (owner === null) throw new Error('Nobody has it');
  const cleared: (LeaseOwner | undefined)[] = [];
  const takeLeaseOf: typeof writer.takeLease = async (runId, clearedOwner) => {
    cleared.push(clearedOwner);
    if (clearedOwner === undefined) return { kind: 'dead', owner };
    await writer.releaseLease(driver.lease);
    return writer.takeLease(runId);
  };
  return { owner, cleared, writer: { takeLease: takeLeaseOf } };
}

describe('the lease of a dead driver', () => {
  it('is taken only after what it started was ended', async () => {
    await using driver = await openDriver();
    const { owner, cleared, writer } = await openDead(driver);
    const order: string[] = [];
    const lease = await takeLease(writer, driver.lease.runId, async (given) => {
      order.push(`ends ${given.pid}, asked ${cleared.length}`);
      return { kind: 'ended' };
    });
    expect({ order, cleared, lease }).toEqual({
      order: [`ends ${owner.pid}, asked 1`],
      cleared: [undefined, owner],
      lease: { runId: driver.lease.runId, generation: 2 },
    });
  });

  it.each<[ending: OwnerEnding, says: string]>([
    [{ kind: 'survivors', pids: [17, 4] }, 'cannot be ended from here: 17, 4.'],
    [{ kind: 'survivors', pids: Array.from({ length: 23 }, (_, pid) => pid) }, '19 and 3 more.'],
    [{ kind: 'unseen' }, 'in another container or pid namespace'],
  ])('is not taken beside what may still run: %j', async (ending, says) => {
    await using driver = await openDriver();
    const { cleared, writer } = await openDead(driver);
    const taking = takeLease(writer, driver.lease.runId, async () => ending);
    await expect(taking).rejects.toMatchObject({ code: 'processes-left', message: expect.stringContaining(says) });
    expect([cleared, driver.journal.reader.isHeld(driver.lease)]).toEqual([[undefined], true]);
  });
});
