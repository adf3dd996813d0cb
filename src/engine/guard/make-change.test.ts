import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntries } from '../../../test/support/describe-entries.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';
import { openGuard } from './open-guard.ts';

const file = (text: string, mode = 0o644): ChangedEntry => ({ kind: 'file', bytes: Buffer.from(text), mode });
const link = (target: string): ChangedEntry => ({ kind: 'link', target });
const directory = (mode = 0o755): ChangedEntry => ({ kind: 'directory', mode });

/** For somebody who was asked. */
function make(
  { guard, stance }: GuardedWorkspace,
  path: string,
  before: ChangedEntry | null,
  after: ChangedEntry | null,
) {
  return guard.change({ path, before, after }, { permitted: 'ask' }, stance);
}

describe('making a change of a command', () => {
  it('takes an entry from each kind to each other, with its mode, and leaves nothing beside it', async () => {
    const entries = [
      null,
      file('one'),
      file('one', 0o755),
      file('two', 0o600),
      link('a'),
      link('b'),
      directory(),
      directory(0o700),
    ];
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', 'a');
    for (const before of entries) {
      for (const after of entries) {
        putEntry(join(workspace.path, 'entry'), before);
        expect(await make(workspace, 'entry', before, after)).toEqual({ kind: 'made' });
        expect(describeEntries(workspace.path)).toEqual({ a: 'file 644 a', ...describeAs('entry', after) });
      }
    }
  });

  it('does no harm when it is made again', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/a', 'a');
    workspace.write('b', 'b');
    const changes: WorkspaceChange[] = [
      { path: 'b', before: file('b'), after: directory() },
      { path: 'b/c', before: null, after: file('c') },
      { path: 'dir/a', before: file('a'), after: null },
      { path: 'dir', before: directory(), after: file('dir') },
      { path: 'link', before: null, after: link('b/c') },
    ];
    const expected = { b: 'directory 755', 'b/c': 'file 644 c', dir: 'file 644 dir', link: 'link b/c' };
    for (let round = 0; round < 2; round++) {
      for (const { path, before, after } of changes) {
        expect(await make(workspace, path, before, after)).toEqual({ kind: 'made' });
      }
      expect(describeEntries(workspace.path)).toEqual(expected);
    }
  });

  it('does not take for its own, at the first try, what somebody else has written over the same content', async () => {
    await using workspace = await openGuardedWorkspace();
    const { guard, stance } = workspace;
    const first = (path: string, before: ChangedEntry | null, after: ChangedEntry | null) =>
      guard.change({ path, before, after }, { permitted: 'ask', isFirstTry: true }, stance);
    workspace.write('count', '2');
    chmodSync(join(workspace.path, 'count'), 0o644);
    expect([
      await first('count', file('1'), file('2')),
      await make(workspace, 'count', file('1'), file('2')),
      await first('count', null, file('2')),
      await first('count', file('2', 0o600), file('2')),
      await first('gone', file('1'), null),
      await first('count', file('2'), file('3')),
    ]).toEqual([{ kind: 'stale' }, ...Array.from({ length: 5 }, () => ({ kind: 'made' }))]);
    expect(describeEntries(workspace.path)).toEqual({ count: 'file 644 3' });
  });

  it('is refused over anything but what it begins with', async () => {
    const there = [null, file('other'), file('one', 0o600), link('other'), directory(0o711)];
    const befores = [null, file('one'), link('a'), directory()];
    await using workspace = await openGuardedWorkspace();
    for (const found of there) {
      for (const before of befores) {
        if (found === null && before === null) continue;
        putEntry(join(workspace.path, 'entry'), found);
        const results = [
          await make(workspace, 'entry', before, file('new')),
          await make(workspace, 'entry', before, link('a')),
        ];
        if (found !== null) results.push(await make(workspace, 'entry', before, null));
        expect(results).toEqual(results.map(() => ({ kind: 'stale' })));
        expect(describeEntries(workspace.path)).toEqual(describeAs('entry', found));
      }
    }
  });

  it('removes no directory that holds something, and takes one that somebody else made for its own', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/theirs', 'theirs');
    expect([
      await make(workspace, 'dir', directory(), null),
      await make(workspace, 'dir', directory(), file('x')),
      await make(workspace, 'dir', null, directory(0o700)),
    ]).toEqual([{ kind: 'stale' }, { kind: 'stale' }, { kind: 'made' }]);
    expect(describeEntries(workspace.path)).toEqual({ dir: 'directory 755', 'dir/theirs': 'file 644 theirs' });
  });

  it('changes a link itself and not what it leads to, and goes through none', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('real/a', 'a');
    writeFileSync(join(workspace.outside, 'kept'), 'kept');
    symlinkSync('real', join(workspace.path, 'inside'));
    symlinkSync(join(workspace.outside, 'kept'), join(workspace.path, 'out'));
    expect([
      await make(workspace, 'inside/a', file('a'), null),
      await make(workspace, 'inside/b', null, file('b')),
      await make(workspace, 'out/b', null, file('b')),
      await make(workspace, 'none/b', null, file('b')),
      await make(workspace, 'none/b', file('b'), null),
      await make(workspace, 'out', link(join(workspace.outside, 'kept')), file('mine')),
    ]).toEqual([
      { kind: 'unwritable', reason: '"inside/a" cannot be written: "inside" is reached through a link' },
      { kind: 'unwritable', reason: '"inside/b" cannot be written: "inside" is reached through a link' },
      { kind: 'unwritable', reason: '"out/b" cannot be written: a link in it leads outside the workspace' },
      { kind: 'unwritable', reason: '"none/b" cannot be written: "none" is no directory' },
      { kind: 'made' },
      { kind: 'made' },
    ]);
    expect(readFileSync(join(workspace.outside, 'kept'), 'utf8')).toBe('kept');
    expect(describeEntries(workspace.path)).toEqual({
      inside: 'link real',
      out: 'file 644 mine',
      real: 'directory 755',
      'real/a': 'file 644 a',
    });
  });

  it.each([
    [
      '../outside/x',
      '"link" would be a link, and read of "../outside/x" is denied: a link in it leads outside the workspace',
    ],
    ['/etc/passwd', 'is denied: it leads outside the workspace'],
    ['dir/../../outside', 'is denied: a link in it leads outside the workspace'],
    ['.env', 'is denied by the rule ".env"'],
    ['dir/../keys/id_rsa', 'is denied by the rule "id_rsa"'],
    ['through/.env', 'is denied by the rule ".env"'],
    ['up/../outside', 'is denied'],
  ])('makes no link to %s', async (target, because) => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.path, 'dir'));
    symlinkSync('dir', join(workspace.path, 'through'));
    symlinkSync('.', join(workspace.path, 'up'));
    const made = await make(workspace, 'link', null, link(target));
    expect(made).toEqual({ kind: 'unpermitted', because: expect.stringContaining(because) });
    expect(describeEntries(workspace.path)).toEqual({ dir: 'directory 755', through: 'link dir', up: 'link .' });
  });

  it('makes links that stay inside, to what is not there yet too', async () => {
    await using workspace = await openGuardedWorkspace();
    const targets = ['none/at/all', '../a', '.', join(workspace.path, 'a')];
    mkdirSync(join(workspace.path, 'dir'));
    for (const [at, target] of targets.entries()) {
      expect(await make(workspace, `dir/link-${at}`, null, link(target))).toEqual({ kind: 'made' });
      expect(readlinkSync(join(workspace.path, `dir/link-${at}`))).toBe(target);
    }
  });

  it('does nothing that is denied, or that nobody was asked about', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'SECRET');
    const { guard, stance } = workspace;
    const unasked = { path: 'a', before: null, after: file('a') };
    expect([
      await make(workspace, '.env', null, file('mine')),
      await make(workspace, '.env', file('SECRET'), null),
      await guard.change(unasked, { permitted: 'allow' }, stance),
    ]).toEqual([
      { kind: 'unpermitted', because: expect.stringContaining('write of ".env" is denied by the rule ".env"') },
      { kind: 'unpermitted', because: expect.stringContaining('write of ".env" is denied by the rule ".env"') },
      { kind: 'unpermitted', because: 'write of "a" must be asked for by default, and nobody was asked' },
    ]);
    expect(describeEntries(workspace.path)).toEqual({ '.env': 'file 644 SECRET' });
  });

  it("does not touch the engine's own directory where that lies inside", async () => {
    await using workspace = await openGuardedWorkspace();
    const home = join(workspace.path, 'home');
    mkdirSync(home);
    const guard = await openGuard({ workspace: workspace.path, home, sandbox: { isolation: null, run: unused } });
    const { stance } = workspace;
    const results = [
      await guard.change({ path: 'home', before: directory(), after: null }, { permitted: 'ask' }, stance),
      await guard.change({ path: 'home/x', before: null, after: file('x') }, { permitted: 'ask' }, stance),
    ];
    guard.close();
    expect(results.map(({ kind }) => kind)).toEqual(['unwritable', 'unwritable']);
    expect(describeEntries(workspace.path)).toEqual({ home: 'directory 755' });
  });

  it('never leaves the workspace, whatever its path and its link say', async () => {
    const part = fc.constantFrom('..', '.', '', 'dir', 'out', 'up', 'x', '\0');
    const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    const entry = fc.oneof(fc.constant(null), fc.constant(file('x')), fc.constant(directory()), path.map(link));
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, 'x'), 'outside');
    const before = describeEntries(workspace.outside);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(path, entry, entry, async (at, from, to) => {
        for (const name of readdirSync(workspace.path)) rmSync(join(workspace.path, name), { recursive: true });
        mkdirSync(join(workspace.path, 'dir'));
        symlinkSync(workspace.outside, join(workspace.path, 'out'));
        symlinkSync('.', join(workspace.path, 'up'));
        if ((await make(workspace, at, from, to)).kind === 'made') made++;
        expect(describeEntries(workspace.outside)).toEqual(before);
      }),
      { numRuns: 300 },
    );
    expect(made).toBeGreaterThan(10);
  });
});

const unused = () => Promise.reject(new Error('No command is run here.'));

function putEntry(at: string, entry: ChangedEntry | null): void {
  rmSync(at, { recursive: true, force: true });
  if (entry?.kind === 'file') writeFileSync(at, entry.bytes);
  if (entry?.kind === 'directory') mkdirSync(at);
  if (entry?.kind === 'link') symlinkSync(entry.target, at);
  if (entry !== null && entry.kind !== 'link') chmodSync(at, entry.mode);
}

function describeAs(path: string, entry: ChangedEntry | null): Record<string, string> {
  if (entry === null) return {};
  if (entry.kind === 'link') return { [path]: `link ${entry.target}` };
  const mode = entry.mode.toString(8);
  return { [path]: entry.kind === 'directory' ? `directory ${mode}` : `file ${mode} ${Buffer.from(entry.bytes)}` };
}
