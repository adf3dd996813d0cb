import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/support/create-random.ts';
import { type OpenedDriver, openDriver } from '../../../test/support/open-driver.ts';
import type { DriverEventBody, JournalEvent, PersonEventBody } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';
import { RunId, rootAgentId } from '../../shared/id.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { JournalWriter, Lease } from '../journal/journal.ts';
import { createRecorder, foldAll, type RunRecorder } from './recorder.ts';

const place = { agentId: rootAgentId, step: 1 };
const modelStart: DriverEventBody = {
  type: 'model-start',
  attempt: 1,
  reservation: { inputTokens: 1, outputTokens: 1, costUsd: null },
  maxOutputTokens: 1,
  activeMs: 5,
};

/** Somebody else's word. */
async function say({ runId }: Lease, writer: JournalWriter, body: PersonEventBody): Promise<void> {
  await writer.appendPerson(runId, { ...place, at: 1, body, subject: null }, []);
}

const raised = { type: 'ceiling-raise', actor: 'p', budget: 'steps' } as const;

function openRecorder({ lease, journal, ports }: OpenedDriver, append: JournalWriter['append']): RunRecorder {
  const { reader, clock, recorder } = ports;
  return createRecorder({ state: recorder.state, lease, reader, writer: { ...journal.writer, append }, clock });
}

describe('a recorder', () => {
  it('folds an event at once, and makes it durable with the next commit', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    recorder.emit(place, modelStart);
    const emitted = [recorder.state.seq, recorder.state.agents[rootAgentId]?.phase.kind];
    const before = [reader.readHead(driver.lease.runId), recorder.durableSeq];
    await recorder.commit();
    const after = [reader.readHead(driver.lease.runId), recorder.durableSeq];
    expect({ emitted, before, after }).toEqual({ emitted: [2, 'asking'], before: [1, 1], after: [2, 2] });
  });

  it('commits what was emitted together as a whole, with the blobs it names, and nothing twice', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    const blob = createBlob('No.', { origin: 'engine' });
    recorder.emit(place, { type: 'observation', kind: 'check-evidence', content: blob.ref }, [blob]);
    recorder.emit(place, { type: 'step-finish', activeMs: 7 });
    await recorder.commit();
    await recorder.commit();
    expect(reader.readEvents(driver.lease.runId).map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run-start'],
      [2, 'observation'],
      [3, 'step-finish'],
    ]);
    expect(Buffer.from(reader.readBlob(blob.ref.hash)).toString()).toBe('No.');
  });

  it('folds what a person said meanwhile in the order of the journal, not in its own', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    await say(driver.lease, driver.journal.writer, { type: 'ceiling-raise', actor: 'p', budget: 'steps', limit: 99 });
    recorder.emit(place, modelStart);
    recorder.emit(place, { type: 'check-start', trigger: 'claim' });
    await recorder.commit();
    const events = reader.readEvents(driver.lease.runId);
    expect(events.map(({ type }) => type)).toEqual(['run-start', 'ceiling-raise', 'model-start', 'check-start']);
    expect([recorder.state, recorder.durableSeq]).toEqual([foldRun(null, events), 4]);
    expect(recorder.state.settings.budgets.steps).toBe(99);
  });

  it('catches up with what others said, but only when nothing of its own is on the way', async () => {
    await using driver = await openDriver();
    const { recorder } = driver.ports;
    await say(driver.lease, driver.journal.writer, { type: 'run-pause', actor: 'p' });
    recorder.emit(place, modelStart);
    recorder.catchUp();
    const whilePending = recorder.state.wishes.pausedBy;
    await recorder.commit();
    await say(driver.lease, driver.journal.writer, { type: 'run-cancel', actor: 'c' });
    recorder.catchUp();
    recorder.catchUp();
    expect([whilePending, recorder.state.wishes, recorder.state.seq, recorder.durableSeq]).toEqual([
      null,
      { pausedBy: 'p', cancelledBy: 'c' },
      4,
      4,
    ]);
  });

  it('says that another driver has the run now, and has written nothing', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    await driver.journal.writer.releaseLease(driver.lease);
    await driver.journal.writer.takeLease(driver.lease.runId);
    recorder.emit(place, modelStart);
    await expect(recorder.commit()).rejects.toMatchObject({ code: 'lease-lost' });
    expect(reader.readHead(driver.lease.runId)).toBe(1);
  });

  it('lets nothing be done after a commit when the run was taken over while this process was suspended', async () => {
    await using driver = await openDriver();
    const { lease, journal, ports } = driver;
    const { reader, clock, recorder: first } = ports;
    const takeOver = async () => {
      await journal.writer.releaseLease(lease);
      await journal.writer.takeLease(lease.runId);
    };
    const append: JournalWriter['append'] = async (...request) => {
      const result = await journal.writer.append(...request);
      await takeOver();
      return result;
    };
    const writer = { ...journal.writer, append };
    const recorder = createRecorder({ state: first.state, lease, reader, writer, clock });
    recorder.emit(place, modelStart);
    await expect(recorder.commit()).rejects.toMatchObject({ code: 'lease-lost' });
    expect([recorder.isHeld(), reader.readHead(lease.runId)]).toEqual([false, 2]);
    expect(() => recorder.catchUp()).toThrow(expect.objectContaining({ code: 'lease-lost' }));
  });
});

describe('a recorder that several agents write to', () => {
  const step = (activeMs: number): DriverEventBody => ({ type: 'step-finish', activeMs });
  const timesOf = (events: readonly JournalEvent[]): (number | string)[] =>
    events.map((event) => (event.type === 'step-finish' ? event.activeMs : event.type));

  it('makes one transaction after the other, and all that was emitted meanwhile is in the next', async () => {
    await using driver = await openDriver();
    const { journal, lease } = driver;
    const batches: number[] = [];
    let open = 0;
    const append: JournalWriter['append'] = async (owner, events, blobs) => {
      open += 1;
      expect(open).toBe(1);
      batches.push(events.length);
      const result = await journal.writer.append(owner, events, blobs);
      open -= 1;
      return result;
    };
    const recorder = openRecorder(driver, append);
    recorder.emit(place, step(1));
    const first = recorder.commit();
    recorder.emit(place, step(2));
    const [second, third] = [recorder.commit(), recorder.commit()];
    recorder.emit(place, step(3));
    await Promise.all([first, second, third]);
    expect(batches).toEqual([1, 2]);
    expect(timesOf(driver.ports.reader.readEvents(lease.runId))).toEqual(['run-start', 1, 2, 3]);
  });

  it('keeps what was emitted during a transaction behind what a person said before it', async () => {
    await using driver = await openDriver();
    const { journal, lease } = driver;
    const steer = { type: 'ceiling-raise', actor: 'p', budget: 'steps', limit: 77 } as const;
    const append: JournalWriter['append'] = async (...request) => {
      await say(lease, journal.writer, steer);
      return journal.writer.append(...request);
    };
    const recorder = openRecorder(driver, append);
    const heard: (string | null)[] = [];
    recorder.onFold((event) => heard.push(event?.type ?? null));
    recorder.emit(place, step(1));
    const committed = recorder.commit();
    recorder.emit(place, modelStart);
    await committed;
    const { state, durableSeq } = recorder;
    expect([state.seq, state.settings.budgets.steps, state.agents[rootAgentId]?.phase.kind, durableSeq]).toEqual([
      ...[4, 77, 'asking'],
      3,
    ]);
    await recorder.commit();
    const events = driver.ports.reader.readEvents(lease.runId);
    expect(events.map(({ type }) => type)).toEqual([
      'run-start',
      'ceiling-raise',
      'step-finish',
      'ceiling-raise',
      'model-start',
    ]);
    expect(recorder.state).toEqual(foldRun(null, events));
    expect(heard).toEqual(['step-finish', 'model-start', null, null]);
  });

  it('tells its listener of every event of ours once, and of what others say that there is something', async () => {
    await using driver = await openDriver();
    const { recorder } = driver.ports;
    const heard: (string | null)[] = [];
    recorder.onFold((event) => heard.push(event?.type ?? null));
    recorder.emit(place, step(1));
    await recorder.commit();
    recorder.catchUp();
    await say(driver.lease, driver.journal.writer, { type: 'run-pause', actor: 'p' });
    recorder.catchUp();
    expect(heard).toEqual(['step-finish', null]);
  });

  it.each([1, 2, 3])('folds as the journal has it, whoever says what when (chance %i)', async (seed) => {
    await using driver = await openDriver();
    const { journal, lease, ports } = driver;
    const random = createRandom(seed);
    const { recorder } = ports;
    const going: Promise<void>[] = [];
    for (let turn = 1; turn <= 60; turn++) {
      const chance = random();
      if (chance < 0.5) recorder.emit(place, step(turn));
      else if (chance < 0.7) going.push(recorder.commit());
      else if (chance < 0.85) going.push(say(lease, journal.writer, { ...raised, limit: turn }));
      else if (chance < 0.95) await going.at(-1);
      else recorder.catchUp();
    }
    await Promise.all(going);
    await recorder.commit();
    recorder.catchUp();
    const events = ports.reader.readEvents(lease.runId);
    expect([recorder.state, recorder.durableSeq]).toEqual([foldRun(null, events), events.length]);
    const own = timesOf(events).filter((time) => typeof time === 'number');
    expect(own).toEqual(own.toSorted((first, second) => first - second));
  });
});

describe('foldAll', () => {
  it('reads more events than fit one batch, from any point', async () => {
    await using driver = await openDriver();
    const { recorder, reader } = driver.ports;
    for (let count = 0; count < 4100; count++) recorder.emit(place, { type: 'step-finish', activeMs: count });
    await recorder.commit();
    const first = foldRun(null, reader.readEvents(driver.lease.runId, 0, 50));
    expect(foldAll(reader, driver.lease, null, 0)).toEqual(recorder.state);
    expect(foldAll(reader, driver.lease, first, 50)).toEqual(recorder.state);
  });

  it('refuses a run that is not in this home, and says where to look', async () => {
    await using driver = await openDriver();
    const runId = RunId.parse(`run-${'z'.repeat(22)}`);
    expect(() => foldAll(driver.ports.reader, { runId }, null, 0)).toThrow(
      expect.objectContaining({ code: 'run-unknown', remedy: expect.stringContaining('--home') }),
    );
  });
});
