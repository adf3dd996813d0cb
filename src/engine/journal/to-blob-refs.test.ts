import { describe, expect, it } from 'vitest';
import { createBlob } from './create-blob.ts';
import { toBlobRefs } from './to-blob-refs.ts';

const [first, second] = ['a', 'b'].map((text) => createBlob(text, { origin: 'engine' }).ref);

describe('the blobs an event names', () => {
  it.each([
    ['at the top', { type: 'x', content: first }, [first]],
    ['inside a change', { type: 'x', change: { path: 'p', before: first, after: second } }, [first, second]],
    ['absent', { type: 'x', change: { path: 'p', before: null, after: second } }, [second]],
    ['in a list', { type: 'x', all: [first, second] }, [first, second]],
    ['a hash alone is a comparison, not a reference', { type: 'x', seen: [{ path: 'p', hash: first?.hash }] }, []],
  ])('%s', (_where, body, refs) => {
    expect(toBlobRefs(body)).toEqual(refs);
  });
});
