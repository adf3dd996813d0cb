import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../journal/create-blob.ts';
import { toPathHistories } from './path-history.ts';
import type { RecordedChange } from './recorded-changes.ts';
import type { RecordedEntry } from './recorded-entry.ts';

const read = () => new Uint8Array();
const file = (text: string, mode: number | null = null): RecordedEntry => ({
  kind: 'file',
  hash: hashBytes(Buffer.from(text)),
  mode,
  read,
});

const change = (
  before: RecordedEntry | null,
  after: RecordedEntry | null,
  certainty: 'made' | 'uncertain' = 'made',
): RecordedChange => ({ kind: 'image', path: 'a', before, after, isUncertain: certainty === 'uncertain' });
const blind: RecordedChange = { kind: 'blind', path: 'a', because: 'a process wrote it' };

const historyOf = (...changes: RecordedChange[]) => toPathHistories(changes)[0];

describe('the history of a path', () => {
  it('goes from what was there first to what the run left last', () => {
    const history = historyOf(change(file('1'), file('2')), change(file('2'), null), change(null, file('3', 0o600)));
    expect(history).toEqual({
      path: 'a',
      origin: { kind: 'known', entry: file('1') },
      expected: [file('3', 0o600)],
      foreign: null,
    });
  });

  it('takes permissions that an edit did not name from the next record of them', () => {
    const history = historyOf(change(file('1'), file('2')), change(file('2', 0o755), file('2', 0o700)));
    expect(history?.origin).toEqual({ kind: 'known', entry: file('1', 0o755) });
  });

  it('tells that somebody else wrote between two changes', () => {
    const history = historyOf(change(file('1'), file('2')), change(file('by a person'), file('3')));
    expect(history?.foreign).toBe('somebody else changed it between two changes of the run');
  });

  it('holds a change of which nobody knows whether it was made for either', () => {
    expect(historyOf(change(null, file('1'), 'uncertain'))?.expected).toEqual([file('1'), null]);
    const notMade = historyOf(change(file('1'), file('2'), 'uncertain'), change(file('1'), file('3')));
    const wasMade = historyOf(change(file('1'), file('2'), 'uncertain'), change(file('2'), file('3')));
    expect([notMade?.foreign, wasMade?.foreign]).toEqual([null, null]);
  });

  it('does not know what was there where a process wrote first', () => {
    const history = historyOf(blind, change(file('1'), file('2')));
    expect(history?.origin).toEqual({ kind: 'unknown', because: 'a process wrote it' });
  });

  it('is not the work of the run alone where a process wrote later', () => {
    const history = historyOf(change(file('1'), file('2')), blind);
    expect(history).toMatchObject({ origin: { kind: 'known' }, foreign: 'a process wrote it' });
  });
});
