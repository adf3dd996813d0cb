import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExecAct, PathAct, ResolvedAct } from '../../shared/act.ts';
import { type DigestSubject, describeDifferences, toDigest } from './to-digest.ts';

const write: PathAct = { kind: 'write', target: 'src/a.ts', real: 'src/a.ts', letterCase: 'exact', outside: false };
const git: ExecAct = {
  kind: 'exec',
  target: 'git status',
  program: { written: 'git', real: '/usr/bin/git', isSystem: true },
  opaque: null,
};
const subject: DigestSubject = {
  tool: 'shell',
  argumentsHash: 'h',
  acts: [git, write],
  directory: '/w',
  environment: ['PATH', 'HOME'],
  files: [
    { path: '/usr/bin/git', hash: '1:2:3' },
    { path: 'src/a.ts', hash: 'a' },
    { path: 'src/new.ts', hash: null },
  ],
  contentHash: null,
};

const text = fc.string({ maxLength: 4 });
const acts: fc.Arbitrary<ResolvedAct> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read' as const, 'write' as const),
    target: text,
    real: fc.option(text),
    letterCase: fc.constantFrom('exact' as const, 'ignored' as const),
    outside: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('exec' as const),
    target: text,
    program: fc.option(fc.record({ written: text, real: fc.option(text), isSystem: fc.boolean() })),
    opaque: fc.option(text),
  }),
  fc.record({ kind: fc.constant('net' as const), target: text, address: fc.option(text) }),
);
const subjects: fc.Arbitrary<DigestSubject> = fc.record({
  tool: text,
  argumentsHash: text,
  acts: fc.array(acts, { maxLength: 3 }),
  directory: text,
  environment: fc.uniqueArray(text, { maxLength: 3 }),
  files: fc.uniqueArray(fc.record({ path: text, hash: fc.option(text) }), {
    maxLength: 3,
    selector: ({ path }) => path,
  }),
  contentHash: fc.option(text),
});

/** What a digest is over, written down another way: order counts for acts alone. */
function toComparable({ environment, files, ...rest }: DigestSubject): unknown {
  return { ...rest, environment: new Set(environment), files: new Map(files.map(({ path, hash }) => [path, hash])) };
}

describe('the digest of what will happen', () => {
  it('is another one for any single change', () => {
    fc.assert(
      fc.property(subjects, subjects, fc.constantFrom(...keysOf(subject)), (first, second, name) => {
        const changed = { ...first, [name]: second[name] };
        const isSame = equals(toComparable(first), toComparable(changed));
        expect(toDigest(first) === toDigest(changed)).toBe(isSame);
      }),
    );
  });

  const changes: [what: string, change: Partial<DigestSubject>][] = [
    ['an act more', { acts: [git, write, write] }],
    ['the order of acts', { acts: [write, git] }],
    ['where a path really lies', { acts: [git, { ...write, real: 'src/b.ts' }] }],
    ['the file behind a program', { acts: [{ ...git, program: { ...programOf(git), real: '/w/git' } }, write] }],
    ['a file that is there now', { files: subject.files.map((file) => ({ ...file, hash: file.hash ?? 'n' })) }],
    ['a variable fewer', { environment: ['PATH'] }],
    ['content where there was none', { contentHash: 'c' }],
  ];
  it.each(changes)('tells %s', (_what, change) => {
    expect(toDigest({ ...subject, ...change })).not.toBe(toDigest(subject));
  });

  it('does not depend on the order of keys, variables and files', () => {
    const turned: DigestSubject = {
      contentHash: subject.contentHash,
      files: [...subject.files].reverse().map(({ path, hash }) => ({ hash, path })),
      environment: [...subject.environment].reverse(),
      directory: subject.directory,
      acts: subject.acts.map((act) => turn(act)),
      argumentsHash: subject.argumentsHash,
      tool: subject.tool,
    };
    expect(toDigest(turned)).toBe(toDigest(subject));
  });
});

describe('what is different', () => {
  const cases: [change: Partial<DigestSubject>, differences: string[]][] = [
    [{}, []],
    [{ tool: 'write_file' }, ['it is a call of write_file now, not of shell']],
    [{ argumentsHash: 'other' }, ['the arguments of the call are others now']],
    [{ directory: '/x' }, ['it would run in /x, not in /w']],
    [{ contentHash: 'c' }, ['what would be written is not the same text any more']],
    [{ acts: [git] }, ['it would no longer write src/a.ts']],
    [{ acts: [git, write, { ...write, target: 'b' }] }, ['it would now also write b']],
    [{ acts: [git, { ...write, real: 'c' }] }, ['write src/a.ts means something else than it did']],
    [{ acts: [write, git] }, ['the same things would happen in another order']],
    [
      { environment: ['PATH', 'TOKEN'] },
      ['the command would also get the variable TOKEN', 'the command would not get the variable HOME'],
    ],
    [withHash('src/a.ts', 'b'), ['src/a.ts is no longer what it was']],
    [withHash('src/a.ts', null), ['src/a.ts is gone']],
    [withHash('src/new.ts', 'n'), ['src/new.ts is there now']],
    [withHash('/usr/bin/git', '9:9:9'), ['the program git is another file now']],
    [{ files: subject.files.slice(0, 2) }, ['it no longer depends on src/new.ts']],
    [{ files: [...subject.files, { path: 'x', hash: null }] }, ['it now depends on x']],
  ];
  it.each(cases)('after %j is told in words', (change, differences) => {
    expect(describeDifferences(subject, { ...subject, ...change })).toEqual(differences);
  });

  it('is never left untold, and nothing is told where nothing changed', () => {
    fc.assert(
      fc.property(subjects, subjects, (before, after) => {
        expect(describeDifferences(before, after).length > 0).toBe(toDigest(before) !== toDigest(after));
        expect(describeDifferences(before, before)).toEqual([]);
      }),
    );
  });

  it('is cut short where there is too much of it', () => {
    const files = Array.from({ length: 50 }, (_, index) => ({ path: `f${index}`, hash: null }));
    const differences = describeDifferences({ ...subject, files: [] }, { ...subject, files });
    expect([differences.length, differences.at(-1)]).toEqual([21, 'and 30 more']);
  });
});

function programOf({ program }: ExecAct): { written: string; real: string | null; isSystem: boolean } {
  if (program === null) throw new Error('the act has no program');
  return program;
}

function withHash(path: string, hash: string | null): Partial<DigestSubject> {
  return { files: subject.files.map((file) => (file.path === path ? { path, hash } : file)) };
}

function turn<T extends object>(value: T): T {
  return { ...Object.fromEntries(Object.entries(value).reverse()), ...value };
}

function keysOf(from: DigestSubject): (keyof DigestSubject)[] {
  const names: Record<keyof DigestSubject, true> = {
    tool: true,
    argumentsHash: true,
    acts: true,
    directory: true,
    environment: true,
    files: true,
    contentHash: true,
  };
  return Object.keys(from).filter((name): name is keyof DigestSubject => name in names);
}

function equals(left: unknown, right: unknown): boolean {
  try {
    expect(left).toStrictEqual(right);
    return true;
  } catch {
    return false;
  }
}
