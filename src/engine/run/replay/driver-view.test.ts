import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../../test/support/open-driver.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { createBlob } from '../../journal/create-blob.ts';
import { createDriverView, type DriverView } from './driver-view.ts';

const steersOf = ({ state }: { readonly state: RunState }) => agentOf(state, { agentId: rootAgentId }).steers.length;

/** A run that was told two things before its call was judged, and one behind that. */
async function record(): Promise<readonly JournalEvent[]> {
  const calls = [{ tool: 'read_file', arguments: { path: 'a.txt' } }];
  await using driver = await openDriver({ files: { 'a.txt': 'one' }, replies: [toReply('', calls)] });
  const { lease, journal } = driver;
  const say = async (text: string) => {
    const blob = createBlob(text, { origin: 'person' });
    const body = { type: 'run-steer', actor: 'person:ada', content: blob.ref } as const;
    const event = { agentId: rootAgentId, step: 0, at: 1, body, subject: null };
    await journal.writer.appendPerson(lease.runId, event, [blob]);
  };
  await driver.performUntil('judge');
  await say('first');
  await say('second');
  await driver.performUntil('start');
  await say('third');
  return journal.reader.readEvents(lease.runId);
}

function follow(events: readonly JournalEvent[]): DriverView {
  const [start, ...rest] = events;
  const state = start === undefined ? null : foldRun(null, [start]);
  if (state === null) throw new Error('The run has no events');
  const view = createDriverView(state);
  for (const event of rest) expect(view.fold(event)).toBeNull();
  return view;
}

describe('a run as its driver saw it', () => {
  it('has of what people said as much as it was made to hear, in the order of the journal, whenever that is', async () => {
    const events = await record();
    const view = follow(events);
    const heard = [steersOf(view.seen)];
    while (view.hearNext()) heard.push(steersOf(view.seen));
    expect(heard).toEqual([0, 1, 2, 3]);
    expect([view.seen.state, view.state]).toEqual([foldRun(null, events), foldRun(null, events)]);
  });

  it('has all of it at once when it has read the journal', async () => {
    const view = follow(await record());
    view.hearAll();
    expect([view.seen.state === view.state, view.hearNext()]).toEqual([true, false]);
  });
});
