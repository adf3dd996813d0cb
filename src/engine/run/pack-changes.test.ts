import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';
import { packChanges, unpackChanges } from './pack-changes.ts';

const mode = fc.integer({ min: 0, max: 0o777 });
const entry: fc.Arbitrary<ChangedEntry | null> = fc.option(
  fc.oneof(
    fc.record({ kind: fc.constant('file' as const), mode, bytes: fc.uint8Array({ maxLength: 40 }) }),
    fc.record({ kind: fc.constant('directory' as const), mode }),
    fc.record({ kind: fc.constant('link' as const), target: fc.string() }),
  ),
);
const change: fc.Arbitrary<WorkspaceChange> = fc.record({ path: fc.string(), before: entry, after: entry });

const toPlain = (changes: readonly WorkspaceChange[]) =>
  changes.map(({ path, before, after }) => ({ path, before: plain(before), after: plain(after) }));
const plain = (each: ChangedEntry | null) => (each?.kind === 'file' ? { ...each, bytes: [...each.bytes] } : each);

describe('a pack of changes', () => {
  it('gives back what was put into it, whatever that was', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        expect(toPlain(unpackChanges(packChanges(changes)))).toEqual(toPlain(changes));
      }),
    );
  });

  it.each([
    ['an empty content', Buffer.alloc(0)],
    ['a table that is none', Buffer.from('\0\0\0\u0002{}')],
    ['a table that is cut off', packChanges([{ path: 'a', before: null, after: null }]).subarray(0, 9)],
  ])('refuses %s', (_what, bytes) => {
    expect(() => unpackChanges(bytes)).toThrow();
  });
});
