import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader, createPathReader, type LinePlace } from './read-ripgrep-output.ts';

describe('createLineReader', () => {
  it('skips remarks without a path and names that no tool could write', () => {
    const output = Buffer.concat([
      Buffer.from('./a.txt\x001:one\n./a.txt: WARNING: stopped searching binary file\n'),
      Buffer.from([0x2e, 0x2f, 0xff, 0x00]),
      Buffer.from('1:not utf-8\n./b\x0012:caf\xe9:\n', 'latin1'),
    ]);
    expect(readPlaces([output])).toEqual([
      { path: 'a.txt', line: 1 },
      { path: 'b', line: 12 },
    ]);
  });

  it('reads the same from any chunks', () => {
    const output = Buffer.from('./a\x001:one\n./b/c\x0022:two: three\n./d\x003:\n');
    fc.assert(
      fc.property(fc.array(fc.nat(output.length)), (cuts) => {
        const places = [0, ...cuts.sort((left, right) => left - right), output.length];
        const chunks = places.slice(1).map((end, at) => output.subarray(places[at], end));
        expect(readPlaces(chunks)).toEqual(readPlaces([output]));
      }),
    );
  });

  it('drops what grows without an end instead of keeping it', () => {
    const flood = Array.from({ length: 4 }, () => Buffer.alloc(1024 * 1024, 'x'));
    expect(readPlaces([...flood, Buffer.from('\n./a\x001:one\n')])).toEqual([{ path: 'a', line: 1 }]);
  });
});

describe('createPathReader', () => {
  it('takes a name with a line break for one name', () => {
    const paths: string[] = [];
    createPathReader((path) => paths.push(path))(Buffer.from('./a\nb\0./c\0'));
    expect(paths).toEqual(['a\nb', 'c']);
  });
});

function readPlaces(chunks: readonly Buffer[]): LinePlace[] {
  const places: LinePlace[] = [];
  const read = createLineReader((place) => places.push(place));
  for (const chunk of chunks) read(chunk);
  return places;
}
