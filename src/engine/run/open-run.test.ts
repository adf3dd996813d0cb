import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, scriptedChoice, toRunPolicy } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import { TaskContract } from '../../shared/task-contract.ts';
import { createBlob } from '../journal/create-blob.ts';
import { createRun, readContract, takeUpRun } from './open-run.ts';
import { foldAll } from './recorder.ts';

const settings = {
  provider: scriptedChoice,
  posture: 'deny',
  contextTokens: 9000,
  price: null,
  policy: toRunPolicy(),
  minimumIsolation: 'isolated',
  isolation: null,
  reviewer: null,
  recovery: null,
} as const;
const place = { agentId: rootAgentId, step: 0 };

/** The run as somebody finds it who has not driven it. */
const find = ({ journal, lease }: OpenedDriver) => foldAll(journal.reader, lease, null, 0);

describe('creating a run', () => {
  it('is titled by the first line of its goal, cut where it is long', async () => {
    await using driver = await openDriver({ contract: { goal: `${'Fix it. '.repeat(40)}\nMore.` } });
    const { title } = driver.ports.recorder.state.settings;
    expect([title.length, title.startsWith('Fix it. Fix it.'), title.endsWith('…')]).toEqual([120, true, true]);
  });

  it('keeps no secret of its goal readable, not even a half of one at the end of the title', async () => {
    const secret = 'sk-known-0123456789-abcdefghijklmnop';
    const goal = `${'Use the key. '.repeat(8)}${secret} and go on.`;
    await using driver = await openDriver({ contract: { goal }, knownSecrets: [secret] });
    const { settings: made, runId } = driver.ports.recorder.state;
    const [start] = driver.events('run-start');
    const texts = [start?.contract, start?.prompt].map((blob) =>
      blob === undefined ? '' : Buffer.from(driver.ports.reader.readBlob(blob.hash)).toString(),
    );
    expect([made.title, ...texts].filter((text) => text.includes('sk-known'))).toEqual([]);
    expect(driver.ports.reader.listRuns(1).map((run) => [run.runId, run.title])).toEqual([[runId, made.title]]);
    expect(readContract(driver.journal, driver.ports.recorder.state).goal).toBe(goal);
  });

  it('tells who else is at work in the same workspace', async () => {
    await using driver = await openDriver();
    const contract = TaskContract.parse({ goal: 'Also.', workspace: driver.workspace });
    const { state } = await createRun(driver.openPorts, { ...settings, contract, toolSpecs: [], engineVersion: '0' });
    expect(state.settings.neighbours).toEqual([driver.lease.runId]);
  });

  it('leaves no lease behind when it cannot be read back', async () => {
    await using driver = await openDriver();
    const contract = TaskContract.parse({ goal: 'Also.', workspace: driver.workspace });
    const reader = {
      ...driver.journal.reader,
      readEvents() {
        throw new Error('unreadable');
      },
    };
    const ports = { ...driver.openPorts, journal: { ...driver.journal, reader } };
    const creating = createRun(ports, { ...settings, contract, toolSpecs: [], engineVersion: '0' });
    await expect(creating).rejects.toThrow('unreadable');
    const [newest] = driver.journal.reader.listRuns(1);
    expect([newest?.title, newest?.owner]).toEqual(['Also.', null]);
  });
});

describe('taking up a run', () => {
  it('is refused while somebody drives it', async () => {
    await using driver = await openDriver();
    await expect(takeUpRun(driver.openPorts, find(driver), settings)).rejects.toMatchObject({
      code: 'run-owned',
      remedy: expect.stringContaining('io-studio trace'),
    });
  });

  it('goes on under the new settings, with the contract it was begun with', async () => {
    await using driver = await openDriver({ contract: { goal: 'Go on.' } });
    await driver.journal.writer.releaseLease(driver.lease);
    const { contract, state, lease } = await takeUpRun(driver.openPorts, find(driver), settings);
    expect({
      goal: contract.goal,
      posture: state.settings.posture,
      generation: lease.generation,
      seq: state.seq,
    }).toEqual({ goal: 'Go on.', posture: 'deny', generation: 2, seq: 2 });
  });

  it('does not begin a run again that another process has just brought to its end', async () => {
    await using driver = await openDriver();
    const { recorder } = driver.ports;
    const found = find(driver);
    recorder.emit(place, { type: 'run-finish', outcome: { kind: 'met', checked: true }, activeMs: 1 });
    await recorder.commit();
    await driver.journal.writer.releaseLease(driver.lease);
    await expect(takeUpRun(driver.openPorts, found, settings)).rejects.toMatchObject({
      code: 'run-owned',
    });
    const [run] = driver.journal.reader.listRuns(1);
    expect([run?.outcome, run?.owner, run?.events]).toEqual([{ kind: 'met', checked: true }, null, 2]);
  });

  it('leaves no lease behind when it fails, so that the next one can try', async () => {
    await using driver = await openDriver();
    await driver.journal.writer.releaseLease(driver.lease);
    const broken = { ...settings, contextTokens: -1 };
    await expect(takeUpRun(driver.openPorts, find(driver), broken)).rejects.toMatchObject({ code: 'internal' });
    const { lease } = await takeUpRun(driver.openPorts, find(driver), settings);
    expect(lease.generation).toBe(3);
  });

  it('reads only what has come since it was found, and goes on as if it had read all of it', async () => {
    await using driver = await openDriver();
    const found = find(driver);
    const { runId } = found;
    const content = createBlob('Be quick.', { origin: 'person' });
    const body = { type: 'run-steer', actor: 'ada', content: content.ref } as const;
    await driver.journal.writer.appendPerson(runId, { ...place, at: 1, body, subject: null }, [content]);
    await driver.journal.writer.releaseLease(driver.lease);
    const { reader: whole } = driver.journal;
    const read: number[] = [];
    const readEvents: typeof whole.readEvents = (...asked) => {
      const events = whole.readEvents(...asked);
      read.push(...events.map(({ seq }) => seq));
      return events;
    };
    const journal = { ...driver.journal, reader: { ...whole, readEvents } };
    const { state } = await takeUpRun({ ...driver.openPorts, journal }, found, settings);
    expect(read).toEqual([2, 3]);
    expect(state).toEqual(foldAll(whole, { runId }, null, 0));
  });
});
