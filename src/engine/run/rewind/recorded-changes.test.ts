import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../../shared/event.ts';
import { RunId, rootAgentId } from '../../../shared/id.ts';
import { createBlob } from '../../journal/create-blob.ts';
import { packChanges } from '../pack-changes.ts';
import { readRecordedChanges } from './recorded-changes.ts';

const runId = RunId.parse(`run-${'0'.repeat(22)}`);
const contents = new Map<string, Uint8Array>();

function keep(content: string | Uint8Array) {
  const { ref, readable } = createBlob(content, { origin: 'model' });
  contents.set(ref.hash, readable);
  return ref;
}

const reader = { readOriginal: (hash: string) => contents.get(hash) ?? new Uint8Array() };

const readChanges = (...bodies: readonly EventBody[]) =>
  readRecordedChanges(
    reader,
    bodies.map(
      (body, place): JournalEvent => ({ runId, agentId: rootAgentId, step: 1, at: 0, seq: place + 1, ...body }),
    ),
  );

const start: EventBody = {
  type: 'call-start',
  call: 0,
  tool: 'edit_file',
  class: 'compare',
  risky: false,
  change: { path: 'a', before: keep('old'), after: keep('new') },
};

const finish = (status: 'ok' | 'failed' | 'unknown' | 'denied', paths?: string[]): EventBody => ({
  type: 'call-finish',
  call: 0,
  tool: 'edit_file',
  status,
  target: 'a',
  result: keep('result'),
  seen: [],
  changed: status === 'ok',
  ...(paths === undefined ? {} : { paths }),
  durationMs: 0,
});

const textOf = (path: string) =>
  ({ path, before: null, after: { kind: 'file', mode: 0o644, bytes: Buffer.from(path) } }) as const;
const stage: EventBody = {
  type: 'call-stage',
  call: 0,
  changes: keep(packChanges([textOf('b'), textOf('c')])),
  result: keep('done'),
  status: 'ok',
  durationMs: 0,
};

const toMarks = ({ changes }: ReturnType<typeof readChanges>) =>
  changes.map((change) => [change.path, change.kind === 'blind' ? 'blind' : change.isUncertain ? 'uncertain' : 'made']);

describe('what a run has changed', () => {
  it.each([
    ['an edit that was made', [start, finish('ok')], [['a', 'made']]],
    ['an edit that failed or was refused', [start, finish('failed')], []],
    ['an edit of which nobody knows', [start, finish('unknown')], [['a', 'uncertain']]],
    ['an edit that was cut off', [start], [['a', 'uncertain']]],
    ['an edit that was cut off and then made', [start, start, finish('ok')], [['a', 'made']]],
    ['a change set of which one path was made', [stage, finish('ok', ['c'])], [['c', 'made']]],
    [
      'a change set that was cut off',
      [stage],
      [
        ['b', 'uncertain'],
        ['c', 'uncertain'],
      ],
    ],
    [
      'a change set with a path that is told masked',
      [stage, finish('ok', ['c', '[masked]'])],
      [
        ['b', 'uncertain'],
        ['c', 'made'],
      ],
    ],
  ] as const)('is read from %s', (_what, events, marks) => {
    expect(toMarks(readChanges(...events))).toEqual(marks);
  });

  it('has the paths of a process in it that are not as they were, without what was there', () => {
    const changes = [
      { path: 'kept', change: 'created', became: 'kept' },
      { path: 'aside', change: 'created', became: 'aside', because: 'denied' },
    ] as const;
    const exit: EventBody = {
      type: 'process-exit',
      process: 'server',
      end: 'exit',
      durationMs: 1,
      access: 'write',
      policyEnforcement: { masked: 0, checkedAfter: 2, uncovered: [] },
      changes: [...changes],
      untold: 7,
    };
    const read = readChanges(exit);
    expect([toMarks(read), read.untold]).toEqual([[['kept', 'blind']], 7]);
  });

  it('begins anew where the run was taken over into another directory', () => {
    const adopt: EventBody = {
      type: 'run-adopt',
      actor: 'person:test',
      workspace: { path: '/w', device: '1', inode: '2' },
    };
    expect(toMarks(readChanges(start, finish('ok'), adopt, stage, finish('ok', ['b'])))).toEqual([['b', 'made']]);
  });

  it('gives contents back when they are wanted', () => {
    const [change] = readChanges(stage, finish('ok', ['c'])).changes;
    const after = change?.kind === 'image' ? change.after : null;
    expect(after?.kind === 'file' ? Buffer.from(after.read()).toString() : null).toBe('c');
  });
});
