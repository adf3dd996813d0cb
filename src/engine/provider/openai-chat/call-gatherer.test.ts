import { describe, expect, it } from 'vitest';
import { createCallGatherer } from './call-gatherer.ts';
import type { CallFragment } from './wire-chunk.ts';

type Shorthand = readonly [index: number | null, id: string | null, name: string | null, text: string | null];

function gather(...fragments: Shorthand[]): string[] {
  const gatherer = createCallGatherer();
  for (const [index, id, name, text] of fragments) {
    const fragment: CallFragment = { index, id, function: { name, arguments: text ?? '' } };
    gatherer.add(fragment);
  }
  return gatherer.finish('made-').map((call) => `${call.id} ${call.tool} ${call.arguments}`);
}

describe('createCallGatherer', () => {
  it('joins fragments by index when the stream is well formed, also interleaved', () => {
    const calls = gather(
      [0, 'a', 'read', ''],
      [1, 'b', 'list', ''],
      [0, null, null, '{"x"'],
      [1, null, null, '{"y"'],
      [0, null, null, ':1}'],
      [1, null, null, ':2}'],
    );
    expect(calls).toEqual(['a read {"x":1}', 'b list {"y":2}']);
  });

  it('keeps two calls apart when the head of the second repeats the index of the first (agno-agi/agno#8880)', () => {
    const calls = gather([0, 'a', 'read', '{"x":1}'], [0, 'b', 'list', '{"y"'], [1, null, null, ':2}']);
    expect(calls).toEqual(['a read {"x":1}', 'b list {"y":2}']);
  });

  it('follows a known id whatever index stands beside it (agno-agi/agno#8880)', () => {
    const calls = gather(
      [0, 'a', 'read', '{"x"'],
      [1, 'b', 'list', '{"y"'],
      [1, 'a', null, ':1}'],
      [0, 'b', null, ':2}'],
    );
    expect(calls).toEqual(['a read {"x":1}', 'b list {"y":2}']);
  });

  it.each([
    ['the same index', 0],
    ['no index', null],
  ])('tells calls without ids apart when all come with %s', (_, index) => {
    const calls = gather([index, '', 'read', '{"x":1}'], [index, '', 'read', '{"x":2}'], [index, '', 'list', null]);
    expect(calls).toEqual(['made-0 read {"x":1}', 'made-1 read {"x":2}', 'made-2 list {}']);
  });

  it.each([
    [
      'keeps the first of ids that change with every fragment',
      [
        [0, 'a', 'read', '{"x"'],
        [0, 'b', null, ':1}'],
      ],
      ['a read {"x":1}'],
    ],
    [
      'keeps calls with one id apart',
      [
        [0, 'a', 'read', '{}'],
        [1, 'a', 'read', '{"x":1}'],
      ],
      ['a read {}', 'made-1 read {"x":1}'],
    ],
    [
      'takes a late name',
      [
        [0, 'a', null, ''],
        [1, 'b', null, ''],
        [0, 'a', 'read', ''],
        [1, null, 'list', ''],
      ],
      ['a read {}', 'b list {}'],
    ],
    [
      'takes repeated ids and names for one call',
      [
        [0, 'a', 'read', '{'],
        [0, 'a', 'read', '}'],
        [0, 'a', 'read', ''],
      ],
      ['a read {}'],
    ],
  ] satisfies [string, Shorthand[], string[]][])('%s', (_, fragments, expected) => {
    expect(gather(...fragments)).toEqual(expected);
  });

  it('takes a name that is repeated with every fragment for one call', () => {
    const calls = gather([0, null, 'read', ''], [0, null, 'read', '{"x"'], [0, null, 'read', ':1}']);
    expect(calls).toEqual(['made-0 read {"x":1}']);
  });

  it('does not parse long arguments anew for every piece that repeats the name', () => {
    const startedMs = performance.now();
    const pieces = Array.from({ length: 20_000 }, (): Shorthand => [0, 'a', 'write', 'abcd']);
    expect(gather([0, 'a', 'write', '{"x":"'], ...pieces, [0, 'a', 'write', '"}'])[0]?.length).toBe(80_016);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  it('gives a call without arguments an empty object (BerriAI/litellm#39288, brekkylab/ailoy#434)', () => {
    const calls = gather([0, 'a', 'list', ''], [0, null, null, ''], [1, 'b', 'list', null], [2, 'c', 'list', ' ']);
    expect(calls).toEqual(['a list {}', 'b list {}', 'c list {}']);
  });

  it('keeps broken arguments as they came', () => {
    expect(gather([0, 'a', 'write', '{"path":"a", "cont'])).toEqual(['a write {"path":"a", "cont']);
  });

  it('opens no call for a fragment that says nothing', () => {
    expect(gather([0, null, null, ''], [0, '', '', null])).toEqual([]);
  });
});
