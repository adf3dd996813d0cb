import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toChangeLines } from '../../../../test/support/change-lines.ts';
import { findOverlayObstacle, runInOverlay } from '../../../../test/support/overlay.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { readOverlayChanges } from './read-overlay-changes.ts';

const obstacle = findOverlayObstacle();
if (obstacle !== null) console.log(`overlay changes: skipped, as ${obstacle}`);

describe.runIf(obstacle === null)('the changes that a command left in an overlay', () => {
  it('are one line for each path, in an order in which they can be made', async () => {
    using workspace = fill({ keep: 'k', edit: 'old', gone: 'g', 'dir/a': 'a', 'dir/sub/b': 'b', 'tree/x': 'x' });
    symlinkSync('keep', join(workspace.path, 'link'));
    const script = `
      echo -n new > edit; rm gone; chmod 700 keep; ln -sfn edit link; touch tree/x
      rm -r dir; mkdir -p made/deep; echo -n c > made/deep/c; ln made/deep/c made/hard; ln -s ../keep made/soft`;
    expect(await changesOf(workspace, script)).toEqual({
      changes: [
        'dir/a: file 644 a -> nothing',
        'dir/sub/b: file 644 b -> nothing',
        'dir/sub: directory 755 -> nothing',
        'dir: directory 755 -> nothing',
        'edit: file 644 old -> file 644 new',
        'gone: file 644 g -> nothing',
        'keep: file 644 k -> file 700 k',
        'link: link keep -> link edit',
        'made: nothing -> directory 755',
        'made/deep: nothing -> directory 755',
        'made/deep/c: nothing -> file 644 c',
        'made/hard: nothing -> file 644 c',
        'made/soft: nothing -> link ../keep',
      ],
      lost: [],
    });
  });

  it('tell a file that became a directory, and the other way round, as one change of that path', async () => {
    using workspace = fill({ file: 'f', 'dir/a': 'a' });
    const script = 'rm file; mkdir file; echo -n x > file/x; rm -r dir; echo -n now > dir';
    expect(await changesOf(workspace, script)).toEqual({
      changes: [
        'dir/a: file 644 a -> nothing',
        'dir: directory 755 -> file 644 now',
        'file: file 644 f -> directory 755',
        'file/x: nothing -> file 644 x',
      ],
      lost: [],
    });
  });

  it('are none where things were written as they are, or made and removed again', async () => {
    using workspace = fill({ a: 'a', 'dir/b': 'b', 'dir/c': 'c' });
    const script = `
      touch a; cp -p a t; mv t a; chmod 600 dir/b; chmod 644 dir/b; echo x > new; rm new
      cp -rp dir t; rm -r dir; mv t dir`;
    expect(await changesOf(workspace, script)).toEqual({ changes: [], lost: [] });
  });

  it('tell what is missing in a directory that was removed and made again', async () => {
    using workspace = fill({ 'dir/a': 'a', 'dir/b': 'b', 'dir/sub/c': 'c' });
    const script = 'rm -r dir; mkdir -p dir/sub; echo -n new > dir/b';
    expect(await changesOf(workspace, script)).toEqual({
      changes: [
        'dir/a: file 644 a -> nothing',
        'dir/b: file 644 b -> file 644 new',
        'dir/sub/c: file 644 c -> nothing',
      ],
      lost: [],
    });
  });

  it('never hold set-uid, set-gid or sticky bits, nor take the rights of its owner from a directory', async () => {
    using workspace = fill({ a: 'a', 'dir/b': 'b', 'read-only/c': 'c' });
    chmodSync(join(workspace.path, 'read-only'), 0o555);
    const script = `
      chmod 6755 a; chmod 1777 dir; echo -n x > secret; chmod 0 secret; mkdir -p made/in; chmod 0 made/in made
      echo -n d > read-only/d`;
    expect(await changesOf(workspace, script)).toEqual({
      changes: [
        'a: file 644 a -> file 755 a',
        'dir: directory 755 -> directory 777',
        'made: nothing -> directory 700',
        'made/in: nothing -> directory 700',
        'read-only/d: nothing -> file 644 d',
        'secret: nothing -> file 0 x',
      ],
      lost: [],
    });
  });

  it('leave out what cannot be taken over, and say so', async () => {
    using workspace = fill({ file: 'f', 'dir/a': 'a' });
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/dir/`), Buffer.from([0xff])]), '');
    const script = `
      mkfifo pipe; rm file; mkfifo file; touch $'not-\\xfe-text'; ln -s $'\\xfd' link; rm -r dir
      mkdir -p deep/$(printf 'd/%.0s' {1..250})`;
    const left = await changesOf(workspace, script);
    expect(left).toEqual({
      changes: [
        ...Array.from({ length: 200 }, (_, depth) => `deep${'/d'.repeat(depth)}: nothing -> directory 755`),
        'dir/a: file 644 a -> nothing',
      ],
      lost: [
        { path: `deep${'/d'.repeat(200)}`, kind: 'unfit', reason: 'it lies too deep, or its path is too long' },
        { path: 'dir/\ufffd', kind: 'unfit', reason: 'its name is no text' },
        { path: 'dir', kind: 'unfit', reason: 'something in it stays' },
        { path: 'file', kind: 'unfit', reason: 'it is neither a file nor a directory nor a link' },
        { path: 'link', kind: 'unfit', reason: 'it is a link, and where it leads is no text' },
        { path: 'not-\ufffd-text', kind: 'unfit', reason: 'its name is no text' },
        { path: 'pipe', kind: 'unfit', reason: 'it is neither a file nor a directory nor a link' },
      ],
    });
  });

  it('say nothing of hidden paths, and do not look at what lies there when the command made something of that name', async () => {
    using workspace = fill({
      '.env': 'SECRET',
      'a/.env': 'SECRET',
      'a/b': 'b',
      'keys/one': 'SECRET',
      'c/.env': 'SECRET',
    });
    const script =
      'cat .env keys/one 2>&1 > /dev/null; echo -n mine > .env; rm -r a; mkdir keys; echo -n k > keys/one; rm -r c; mkdir c';
    const hidden = ['.env', 'a/.env', 'keys', 'c/.env'];
    expect(await changesOf(workspace, script, { hidden })).toEqual({
      changes: [
        '.env: nothing -> file 644 mine',
        'a/b: file 644 b -> nothing',
        'keys: nothing -> directory 755',
        'keys/one: nothing -> file 644 k',
      ],
      lost: [{ path: 'a', kind: 'unfit', reason: 'something in it stays' }],
    });
  });

  it('leave alone what somebody else changed, made or removed meanwhile', async () => {
    using workspace = fill({ both: 'old', theirs: 'old', removed: 'old', 'dir/a': 'a', 'dir/b': 'b', 'again/a': 'a' });
    const script = `
      ls . dir again > /dev/null; echo -n mine > both; rm removed; rm -r dir; echo -n mine > made
      echo -n mine > again/mine; mkdir sub; echo -n mine > sub/both; echo -n mine > fine`;
    const others = () => {
      for (const file of ['both', 'theirs', 'removed', 'dir/a', 'made', 'again/theirs'])
        workspace.write(file, 'theirs');
      workspace.write('sub/both', 'theirs');
      workspace.write('sub/theirs', 'theirs');
    };
    const left = await changesOf(workspace, script, { others });
    const conflict = (path: string) => ({
      path,
      kind: 'conflict',
      reason: 'somebody else changed it while the command ran',
    });
    expect(left).toEqual({
      changes: [
        'again/mine: nothing -> file 644 mine',
        'dir/b: file 644 b -> nothing',
        'fine: nothing -> file 644 mine',
      ],
      lost: [
        conflict('both'),
        conflict('dir/a'),
        { path: 'dir', kind: 'unfit', reason: 'something in it stays' },
        conflict('made'),
        conflict('removed'),
        conflict('sub/both'),
      ],
    });
  });

  it('take everything for changed by somebody else when the clock was put back', async () => {
    using workspace = fill({ a: 'a', b: 'b' });
    using run = await runInOverlay({ lower: workspace.path, script: 'echo -n x > a; rm b; echo -n new > new' });
    const startedAt = { ...run.startedAt, wallMs: run.startedAt.wallMs + 3_600_000 };
    const left = await readOverlayChanges({ ...run, startedAt });
    expect(
      left.kind === 'changes' && [left.changes.map(({ path }) => path), left.lost.map(({ path }) => path)],
    ).toEqual([['new'], ['a', 'b']]);
  });

  it.each([
    ['20,000 paths', `perl -e 'open my $file, ">", $_ for 0 .. 20_000'`, 'changed more than 20000 paths'],
    ['64 MiB of new content', 'head -c 40M /dev/zero > a; head -c 25M /dev/zero > b', 'wrote more than 64 MiB'],
    ['64 MiB of removed content', 'rm large', 'removed or replaced more than 64 MiB'],
  ])(
    'are too much over %s',
    async (_, script, reason) => {
      using workspace = fill({ large: Buffer.alloc(65 * 1024 * 1024) });
      using run = await runInOverlay({ lower: workspace.path, script });
      expect(await readOverlayChanges(run)).toEqual({ kind: 'too-much', reason: expect.stringContaining(reason) });
    },
    30_000,
  );

  it('cost nothing for a large file that was only touched', async () => {
    using workspace = fill({ large: Buffer.alloc(65 * 1024 * 1024) });
    expect(await changesOf(workspace, 'touch large')).toEqual({ changes: [], lost: [] });
  });

  it.runIf(process.getuid?.() === 0)(
    'are read by an ordinary user too, whatever their mode (needs root, to drop it)',
    () => {
      using workspace = fill({ a: 'a', 'dir/b': 'b', 'dir/c': 'c' });
      execFileSync('chown', ['-R', '65534:65534', workspace.path]);
      const here = pathToFileURL(`${import.meta.dirname}/`).href;
      const script = `
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      const { runInOverlay } = await import('${new URL('../../../../test/support/overlay.ts', here).href}');
      const { readOverlayChanges } = await import('${new URL('read-overlay-changes.ts', here).href}');
      const script = 'echo -n x > a; mkdir -p made/in; echo -n y > made/in/y; rm dir/b; chmod 0 a dir made made/in/y made/in';
      using run = await runInOverlay({ lower: ${JSON.stringify(workspace.path)}, script });
      console.log(JSON.stringify(await readOverlayChanges(run)));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      const file = (text: string, mode: number) => ({
        kind: 'file',
        bytes: JSON.parse(JSON.stringify(Buffer.from(text))),
        mode,
      });
      expect({ stderr, left: JSON.parse(stdout) }).toEqual({
        stderr: '',
        left: {
          kind: 'changes',
          changes: [
            { path: 'a', before: file('a', 0o644), after: file('x', 0) },
            {
              path: 'dir',
              before: { kind: 'directory', mode: 0o755 },
              after: { kind: 'directory', mode: 0o700 },
            },
            { path: 'dir/b', before: file('b', 0o644), after: null },
            { path: 'made', before: null, after: { kind: 'directory', mode: 0o700 } },
            { path: 'made/in', before: null, after: { kind: 'directory', mode: 0o700 } },
            { path: 'made/in/y', before: null, after: file('y', 0) },
          ],
          lost: [],
        },
      });
    },
  );

  it('can be told when the workspace is gone', async () => {
    using workspace = fill({ a: 'a' });
    using run = await runInOverlay({ lower: workspace.path, script: 'echo x > a' });
    rmSync(workspace.path, { recursive: true });
    expect(await readOverlayChanges(run)).toEqual({
      kind: 'changes',
      changes: [],
      lost: [{ path: '.', kind: 'conflict', reason: 'somebody else changed it while it was compared' }],
    });
  });
});

function fill(files: Record<string, string | Uint8Array>): TemporaryDirectory {
  const workspace = createTemporaryDirectory();
  for (const [path, content] of Object.entries(files)) workspace.write(path, content);
  return workspace;
}

interface Circumstances {
  readonly hidden?: readonly string[];
  /** What happens in the workspace meanwhile. */
  readonly others?: () => void;
}

/** What is read after `script` has run, each change as one line. */
async function changesOf({ path }: TemporaryDirectory, script: string, { hidden = [], others }: Circumstances = {}) {
  using run = await runInOverlay({ lower: path, hidden, script });
  others?.();
  const left = await readOverlayChanges(run);
  return toChangeLines(left);
}
