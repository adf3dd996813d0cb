import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Rule, readProfile, readText } from '../../../../test/support/read-seatbelt-profile.ts';
import { composeProfile, type ProfileView } from './compose-profile.ts';
import { quoteText } from './quote-text.ts';

const view: ProfileView = {
  readable: ['/Users/ada/.rustup/toolchains/stable'],
  writable: ['/Users/ada/work', '/private/var/folders/x/tmp'],
  hidden: ['/Users/ada/work/a/b/secret', '/Users/ada/work/.env'],
};

const rulesOf = (changes: Partial<ProfileView> = {}): readonly Rule[] =>
  readProfile(composeProfile({ ...view, ...changes }));

const filtersOf = (rules: readonly Rule[], effect: string, operation: string): string[] =>
  rules.flatMap((rule) => (rule.effect === effect && rule.operations.includes(operation) ? rule.filters : []));

describe('a profile', () => {
  it('refuses everything before it allows anything', () => {
    expect(composeProfile(view).split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });

  it('grants writing below the writable places and to harmless devices, nowhere else', () => {
    const rules = rulesOf();
    expect(filtersOf(rules, 'allow', 'file-write*')).toEqual([
      '(subpath "/Users/ada/work")',
      '(subpath "/private/var/folders/x/tmp")',
    ]);
    expect(filtersOf(rules, 'allow', 'file-write-data')).toEqual([
      '(literal "/dev/null")',
      '(literal "/dev/zero")',
      '(literal "/dev/random")',
      '(literal "/dev/urandom")',
      '(subpath "/dev/fd")',
    ]);
  });

  it('grants to read and to run what is readable or writable, and no home', () => {
    const rules = rulesOf();
    for (const operation of ['file-read*', 'process-exec*']) {
      const filters = filtersOf(rules, 'allow', operation);
      expect(filters).toEqual(expect.arrayContaining(['(subpath "/usr/bin")', '(subpath "/Users/ada/work")']));
      expect(filters).toContain('(subpath "/Users/ada/.rustup/toolchains/stable")');
      expect(filters.filter((filter) => /"\/(System|Users|Users\/ada|private|var|Library)?"/.test(filter))).toEqual(
        operation === 'file-read*' ? ['(literal "/")'] : [],
      );
    }
  });

  it('shows of each directory on the way no more than that it is there', () => {
    expect(filtersOf(rulesOf(), 'allow', 'file-read-metadata')).toEqual(
      expect.arrayContaining(['(literal "/Users")', '(literal "/Users/ada")', '(literal "/private/var/folders/x")']),
    );
  });

  it('grants no network, no messages to other programs, and signals only to what is enclosed with it', () => {
    const rules = rulesOf();
    expect(
      rules.flatMap(({ operations }) => operations).filter((name) => /network|appleevent|job|lsopen/.test(name)),
    ).toEqual([]);
    expect(filtersOf(rules, 'allow', 'signal')).toEqual(['(target same-sandbox)']);
    expect(filtersOf(rules, 'allow', 'mach-lookup')).toEqual([
      '(global-name "com.apple.system.opendirectoryd.libinfo")',
      '(global-name "com.apple.system.opendirectoryd.membership")',
    ]);
  });

  it('tells no facts by which the environment of other processes is read', () => {
    expect(filtersOf(rulesOf(), 'allow', 'sysctl-read').filter((filter) => filter.includes('proc'))).toEqual([
      '(sysctl-name "kern.maxfilesperproc")',
      '(sysctl-name "kern.maxproc")',
      '(sysctl-name "sysctl.proc_cputype")',
    ]);
  });

  it('hides after everything that it grants, and pins each directory on the way to something hidden', () => {
    const rules = rulesOf();
    expect(rules.slice(-2)).toEqual([
      {
        effect: 'deny',
        operations: ['file-read*', 'file-write*', 'file-map-executable', 'process-exec*'],
        filters: ['(subpath "/Users/ada/work/a/b/secret")', '(subpath "/Users/ada/work/.env")'],
      },
      {
        effect: 'deny',
        operations: ['file-write-unlink'],
        filters: ['(literal "/Users/ada/work")', '(literal "/Users/ada/work/a")', '(literal "/Users/ada/work/a/b")'],
      },
    ]);
    expect(rulesOf({ hidden: [] }).filter(({ effect }) => effect === 'deny')).toEqual([
      { effect: 'deny', operations: ['default'], filters: [] },
    ]);
  });

  it('has no rule without a filter, which would be one for everything', () => {
    const bare = rulesOf({ readable: [], writable: [], hidden: [] }).filter(({ filters }) => filters.length === 0);
    expect(bare.map(({ operations }) => operations)).toEqual([['default'], ['process-fork'], ['ipc-posix-sem']]);
  });

  it('says the same about paths of any characters: none can end its text and begin a rule of its own', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '\r', '\t', ')', '(', 'é', '\u202e', ';'),
      minLength: 1,
    });
    fc.assert(
      fc.property(part, part, (directory, name) => {
        const work = `/Users/${directory}`;
        const rules = rulesOf({ writable: [work], hidden: [`${work}/${name}`] });
        expect(rules.map(({ effect, operations }) => [effect, operations])).toEqual(
          rulesOf().map(({ effect, operations }) => [effect, operations]),
        );
        expect(filtersOf(rules, 'allow', 'file-write*').map(readText)).toEqual([work]);
        expect(filtersOf(rules, 'deny', 'file-read*').map(readText)).toEqual([`${work}/${name}`]);
      }),
    );
  });
});

describe('a quoted text', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['C:\\', '"C:\\\\"'],
    ['one\ntwo\r', '"one\\ntwo\\r"'],
    ['naïve ) (allow default', '"naïve ) (allow default"'],
  ])('of %j is %s', (text, quoted) => {
    expect(quoteText(text)).toBe(quoted);
  });
});
