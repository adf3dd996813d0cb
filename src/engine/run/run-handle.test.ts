import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, toReply } from '../../../test/support/open-driver.ts';
import type { JournalEvent } from '../../shared/event.ts';
import { createEndedHandle, startDriving } from './run-handle.ts';

const start = (driver: OpenedDriver, close: () => Promise<void> = async () => undefined) =>
  startDriving({ ports: driver.ports, afterSeq: 0, close });

async function collect(events: AsyncIterable<JournalEvent[]>): Promise<string[]> {
  const types: string[] = [];
  for await (const batch of events) types.push(...batch.map(({ type }) => type));
  return types;
}

describe('the handle of a run', () => {
  it('tells every event to everybody who asks, also afterwards, and ends with the run', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    const handle = start(driver);
    const [first, second] = await Promise.all([collect(handle.events()), collect(handle.events())]);
    const result = await handle.result;
    const late = await collect(handle.events());
    expect([first, second, late]).toEqual(
      Array<string[]>(3).fill(['run-start', 'model-start', 'model-finish', 'run-finish']),
    );
    expect(result).toMatchObject({ outcome: { kind: 'finished' }, exitCode: 0, usage: { steps: 1 } });
  });

  it('closes what was opened for the run before it settles, and keeps the outcome when closing fails', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    let closed = 0;
    const handle = start(driver, async () => {
      closed += 1;
      throw new Error('The lease cannot be given back');
    });
    const events = await collect(handle.events());
    expect([(await handle.result).outcome.kind, closed, events.at(-1)]).toEqual(['finished', 1, 'run-finish']);
  });

  it('rejects when another driver has the run, and its events end all the same', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    await driver.journal.writer.releaseLease(driver.lease);
    await driver.journal.writer.takeLease(driver.lease.runId);
    const handle = start(driver);
    await expect(handle.result).rejects.toMatchObject({ code: 'lease-lost' });
    expect([await collect(handle.events()), driver.requests]).toEqual([['run-start'], []]);
  });

  it('stops where it stands when it is interrupted, and keeps the reply that was paid for', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    const { provider } = driver.ports;
    const complete: typeof provider.complete = (...asked) => {
      handle.interrupt('SIGTERM');
      return provider.complete(...asked);
    };
    const ports = { ...driver.ports, provider: { ...provider, complete } };
    const handle = startDriving({ ports, afterSeq: 0, close: async () => undefined });
    const { outcome, exitCode } = await handle.result;
    expect({ outcome, exitCode }).toEqual({ outcome: { kind: 'interrupted', signal: 'SIGTERM' }, exitCode: 143 });
    expect(driver.events('model-finish').length).toBe(1);
  });

  it('of a run that is over gives its result and nothing else', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    const handle = createEndedHandle(recorder.state, { kind: 'met', checked: true }, reader);
    handle.interrupt('SIGINT');
    handle.onLive(() => undefined)();
    expect([await collect(handle.events()), (await handle.result).outcome]).toEqual([
      [],
      { kind: 'met', checked: true },
    ]);
  });
});
