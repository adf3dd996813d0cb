import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenedDriver, openDriver } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import { openBounds } from './bounds.ts';

function boundsOf(driver: OpenedDriver, interrupt: AbortSignal, leftMs: number | null = null) {
  const { reader, recorder } = driver.ports;
  return openBounds({
    interrupt,
    leftMs,
    reader,
    runId: driver.lease.runId,
    durableSeq: recorder.durableSeq,
    isHeld: recorder.isHeld,
  });
}

describe('the bounds of an action', () => {
  it('end it when the process is asked to stop, and say by which signal', async () => {
    await using driver = await openDriver();
    const interruption = new AbortController();
    using bounds = boundsOf(driver, interruption.signal);
    const before = bounds.signal.aborted;
    interruption.abort('SIGTERM');
    expect([before, bounds.signal.aborted, bounds.signal.reason]).toEqual([false, true, 'SIGTERM']);
  });

  it('are over from the start when that was asked before', async () => {
    await using driver = await openDriver();
    using bounds = boundsOf(driver, AbortSignal.abort('SIGINT'));
    expect([bounds.signal.aborted, bounds.signal.reason]).toEqual([true, 'SIGINT']);
  });

  it('end it when a person cancels in another process, also before what was emitted here is durable', async () => {
    await using driver = await openDriver();
    driver.ports.recorder.emit({ agentId: rootAgentId, step: 1 }, { type: 'step-finish', activeMs: 0 });
    using bounds = boundsOf(driver, new AbortController().signal);
    const body = { type: 'run-cancel', actor: 'p' } as const;
    const event = { agentId: rootAgentId, step: 0, at: 1, body, subject: null };
    await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
    if (!bounds.signal.aborted) await once(bounds.signal, 'abort');
    expect(bounds.signal.reason).toBe('run-cancel');
  });

  it('end it when another driver has taken the run over', async () => {
    await using driver = await openDriver();
    using bounds = boundsOf(driver, new AbortController().signal);
    await driver.journal.writer.releaseLease(driver.lease);
    await driver.journal.writer.takeLease(driver.lease.runId);
    if (!bounds.signal.aborted) await once(bounds.signal, 'abort');
    expect(bounds.signal.reason).toBe('lease-lost');
  });
});

describe('the timers of bounds', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('end it when the time is really spent, never a part of a millisecond early', async () => {
    await using driver = await openDriver();
    using bounds = boundsOf(driver, new AbortController().signal, 1000);
    vi.advanceTimersByTime(1000);
    const early = bounds.signal.aborted;
    vi.advanceTimersByTime(1);
    expect([early, bounds.signal.aborted, bounds.signal.reason]).toEqual([false, true, 'wallMs']);
  });

  it('can wait longer than a timer of this platform can', async () => {
    await using driver = await openDriver();
    using bounds = boundsOf(driver, new AbortController().signal, 2 ** 40);
    vi.advanceTimersByTime(1000);
    expect(bounds.signal.aborted).toBe(false);
  });

  it('survive a journal that cannot be read: the driver finds out by itself', async () => {
    await using driver = await openDriver({ journal: 'own' });
    using bounds = boundsOf(driver, new AbortController().signal);
    driver.journal.reader.close();
    vi.advanceTimersByTime(1000);
    expect(bounds.signal.aborted).toBe(false);
  });

  it('are gone with it, and an interrupt is no longer listened to', async () => {
    await using driver = await openDriver();
    const interruption = new AbortController();
    const before = vi.getTimerCount();
    const bounds = boundsOf(driver, interruption.signal, 1000);
    bounds[Symbol.dispose]();
    bounds[Symbol.dispose]();
    const after = vi.getTimerCount();
    interruption.abort('SIGINT');
    expect([after - before, bounds.signal.aborted]).toEqual([0, false]);
  });
});
