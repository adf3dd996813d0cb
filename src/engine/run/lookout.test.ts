import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spawned } from '../../../test/support/fold-tree.ts';
import { type OpenedDriver, openDriver } from '../../../test/support/open-driver.ts';
import { AgentId, rootAgentId } from '../../shared/id.ts';
import { openLookout } from './lookout.ts';

function boundsOf(driver: OpenedDriver, interrupt: AbortSignal, leftMs: number | null = null) {
  const { reader, recorder } = driver.ports;
  const lookout = openLookout({ interrupt, reader, recorder, onNews: () => undefined });
  const work = lookout.open(rootAgentId, leftMs);
  return {
    signal: work.signal,
    [Symbol.dispose]() {
      work[Symbol.dispose]();
      lookout[Symbol.dispose]();
    },
  };
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

  it('end it when a commit of another agent has folded the cancel in before anybody looked', async () => {
    await using driver = await openDriver();
    using bounds = boundsOf(driver, new AbortController().signal);
    const body = { type: 'run-cancel', actor: 'p' } as const;
    const event = { agentId: rootAgentId, step: 0, at: 1, body, subject: null };
    driver.ports.recorder.emit({ agentId: rootAgentId, step: 1 }, { type: 'step-finish', activeMs: 0 });
    await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
    await driver.ports.recorder.commit();
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

describe('a lookout over several agents', () => {
  const agents = ['root', 'root/1.1', 'root/1.1/2.0', 'root/1.10'].map((name) => AgentId.parse(name));

  function openAll(driver: OpenedDriver, interrupt = new AbortController().signal) {
    const { reader, recorder } = driver.ports;
    const spawns = [
      ['root', 1, 1],
      ['root/1.1', 2, 0],
      ['root', 1, 10],
    ] as const;
    for (const [parent, step, call] of spawns) {
      const spawn = spawned(parent, step, call, { isDetached: true });
      recorder.emit({ agentId: AgentId.parse(parent), step }, spawn);
    }
    const news: string[] = [];
    const lookout = openLookout({ interrupt, reader, recorder, onNews: () => news.push('news') });
    const signals = agents.map((agentId) => lookout.open(agentId, null).signal);
    return { lookout, signals, news, [Symbol.dispose]: () => lookout[Symbol.dispose]() };
  }

  it('cuts off for good what an agent and all that work for it are doing, and nobody else', async () => {
    await using driver = await openDriver();
    using all = openAll(driver);
    const before = agents.map((agentId) => all.lookout.isCutOff(agentId));
    all.lookout.cutOff(AgentId.parse('root/1.1'), 'agent-end');
    expect([
      before,
      all.signals.map(({ aborted }) => aborted),
      agents.map((agentId) => all.lookout.isCutOff(agentId)),
    ]).toEqual([Array(4).fill(false), [false, true, true, false], [false, true, true, false]]);
    all.lookout.cutOff(rootAgentId, 'run-finish');
    expect(agents.map((agentId) => all.lookout.isCutOff(agentId))).toEqual(Array(4).fill(true));
  });

  it('aborts what a cancelled agent and all that work for it are doing, from whichever process it is cancelled', async () => {
    await using driver = await openDriver();
    using all = openAll(driver);
    const body = { type: 'run-cancel', actor: 'p', agent: AgentId.parse('root/1.1') } as const;
    const event = { agentId: rootAgentId, step: 0, at: 1, body, subject: null };
    await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
    const [, cancelled] = all.signals;
    if (cancelled !== undefined && !cancelled.aborted) await once(cancelled, 'abort');
    expect(all.signals.map(({ aborted }) => aborted)).toEqual([false, true, true, false]);
    expect(all.news.length).toBeGreaterThan(0);
  });

  it('tells of what others have said until it is folded in, which it cannot be at any moment', async () => {
    await using driver = await openDriver();
    const { reader, recorder } = driver.ports;
    const rings = new EventEmitter();
    using _lookout = openLookout({
      ...{ interrupt: new AbortController().signal, reader, recorder },
      onNews: () => void rings.emit('news'),
    });
    const event = {
      agentId: rootAgentId,
      step: 0,
      at: 1,
      body: { type: 'run-pause', actor: 'p' },
      subject: null,
    } as const;
    await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
    await once(rings, 'news');
    await once(rings, 'news');
    recorder.catchUp();
    expect(recorder.state.wishes.pausedBy).toBe('p');
  });

  it('cuts everybody off when the process is to end, and tells of it once', async () => {
    await using driver = await openDriver();
    const interruption = new AbortController();
    using all = openAll(driver, interruption.signal);
    interruption.abort('SIGTERM');
    interruption.abort('SIGINT');
    expect(all.signals.map(({ reason }) => reason)).toEqual(Array(4).fill('SIGTERM'));
    expect([agents.map((agentId) => all.lookout.isCutOff(agentId)), all.news]).toEqual([Array(4).fill(true), ['news']]);
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
