import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toChangeLines } from '../../../../test/support/change-lines.ts';
import { describeEntries } from '../../../../test/support/describe-entries.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import type { CopyOptions } from './copy-tree.ts';
import { copyWorkspace } from './copy-workspace.ts';

describe('a copy of the workspace', () => {
  it('holds everything but what is hidden, with modes, times and links as they are', async () => {
    using workspace = fill({ a: 'a', 'bin/run': 'run', '.env': 'SECRET', 'keys/one': 'SECRET', 'dir/.env': 'SECRET' });
    using into = createTemporaryDirectory();
    chmodSync(join(workspace.path, 'bin/run'), 0o4755);
    utimesSync(join(workspace.path, 'a'), 1, 1);
    symlinkSync('/etc/passwd', join(workspace.path, 'link'));
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.from([0xff])]), '');
    const copy = await copyOf(workspace, into, { hidden: ['.env', 'keys', 'dir/.env'] });
    expect({ entries: describeEntries(copy.path), time: lstatSync(join(copy.path, 'a')).mtimeMs }).toEqual({
      entries: {
        a: 'file 644 a',
        bin: 'directory 755',
        'bin/run': 'file 755 run',
        dir: 'directory 755',
        link: 'link /etc/passwd',
      },
      time: 1000,
    });
    expect(toChangeLines(await copy.readChanges())).toEqual({ changes: [], lost: [] });
  });

  it.runIf(process.getuid?.() === 0)('belongs to whom it is made for (needs root, to give it away)', async () => {
    using workspace = fill({ 'dir/a': 'a' });
    using into = createTemporaryDirectory();
    symlinkSync('a', join(workspace.path, 'link'));
    const copy = await copyOf(workspace, into, { owner: { uid: 61_200, gid: 61_201 } });
    const owners = ['', 'dir', 'dir/a', 'link'].map((path) => {
      const { uid, gid } = lstatSync(join(copy.path, path));
      return { uid, gid };
    });
    expect(owners).toEqual(owners.map(() => ({ uid: 61_200, gid: 61_201 })));
  });

  it('tells what was changed in it, and no more', async () => {
    using workspace = fill({ keep: 'keep', edit: 'old', 'dir/a': 'a', '.env': 'SECRET', gone: 'gone' });
    using into = createTemporaryDirectory();
    const copy = await copyOf(workspace, into, { hidden: ['.env'] });
    runIn(copy.path, 'touch keep; echo -n new > edit; rm -r dir gone; mkdir dir; echo -n mine > .env; ln -s edit link');
    expect(toChangeLines(await copy.readChanges())).toEqual({
      changes: [
        '.env: nothing -> file 644 mine',
        'dir/a: file 644 a -> nothing',
        'edit: file 644 old -> file 644 new',
        'gone: file 644 gone -> nothing',
        'link: nothing -> link edit',
      ],
      lost: [],
    });
  });

  it('leaves alone what somebody else changed, made or removed in the workspace meanwhile', async () => {
    using workspace = fill({ both: 'old', theirs: 'old', removed: 'old', vanished: 'old', 'dir/a': 'a' });
    using into = createTemporaryDirectory();
    const copy = await copyOf(workspace, into);
    runIn(copy.path, 'echo -n mine > both; rm removed; echo -n mine > vanished; rm -r dir; echo -n mine > made');
    for (const file of ['both', 'theirs', 'removed', 'dir/b', 'made']) workspace.write(file, 'theirs');
    execFileSync('rm', [join(workspace.path, 'vanished')]);
    const conflict = (path: string) => ({
      path,
      kind: 'conflict',
      reason: 'somebody else changed it while the command ran',
    });
    expect(toChangeLines(await copy.readChanges())).toEqual({
      changes: ['dir/a: file 644 a -> nothing'],
      lost: [
        conflict('both'),
        conflict('dir/b'),
        { path: 'dir', kind: 'unfit', reason: 'something in it stays' },
        conflict('made'),
        conflict('removed'),
        conflict('vanished'),
      ],
    });
  });

  it('is refused over 1,024 MiB, and where there is nothing to copy', async () => {
    using workspace = fill({ large: '' });
    using into = createTemporaryDirectory();
    truncateSync(join(workspace.path, 'large'), 1024 ** 3 + 1);
    const options = { hidden: [], owner: null };
    mkdirSync(join(into.path, 'other'));
    expect([
      await copyWorkspace({ ...options, workspace: workspace.path, into: into.path }),
      await copyWorkspace({ ...options, workspace: join(workspace.path, 'none'), into: join(into.path, 'other') }),
    ]).toEqual([
      {
        kind: 'refused',
        reason: 'the workspace has more than 1024 MiB, and without overlays each command works in a copy of it',
      },
      { kind: 'refused', reason: 'the workspace could not be copied: ENOENT' },
    ]);
  });

  it('is given up when nobody wants it any more', async () => {
    using workspace = fill({ one: '1', two: '2' });
    using into = createTemporaryDirectory();
    const options = { hidden: [], owner: null, signal: AbortSignal.abort() };
    expect(await copyWorkspace({ ...options, workspace: workspace.path, into: into.path })).toEqual({
      kind: 'refused',
      reason: 'nobody wants the copy of the workspace any more',
    });
  });
});

function fill(files: Record<string, string>): TemporaryDirectory {
  const workspace = createTemporaryDirectory();
  for (const [path, content] of Object.entries(files)) workspace.write(path, content);
  return workspace;
}

async function copyOf({ path }: TemporaryDirectory, into: TemporaryDirectory, options: Partial<CopyOptions> = {}) {
  const copy = await copyWorkspace({ workspace: path, hidden: [], into: into.path, owner: null, ...options });
  if (copy.kind === 'refused') throw new Error(copy.reason);
  return copy;
}

function runIn(directory: string, script: string): void {
  execFileSync('bash', ['-c', script], { cwd: directory });
}
