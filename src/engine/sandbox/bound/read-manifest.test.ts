import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory, type TemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { compareManifests } from './compare-manifests.ts';
import { type Manifest, type ManifestOptions, readManifest } from './read-manifest.ts';

const all = () => ({ isNoted: true, isEntered: true });

function read({ path }: TemporaryDirectory, options: Partial<ManifestOptions> = {}): Promise<Manifest> {
  return readManifest({ workspace: path, maxEntries: 100, visit: all, ...options });
}

function fill(...files: string[]): TemporaryDirectory {
  const workspace = createTemporaryDirectory();
  for (const file of files) workspace.write(file, 'old');
  return workspace;
}

describe('readManifest', () => {
  it('notes what is to be noted, and looks into nothing but what is to be entered', async () => {
    using workspace = fill('a/b/c', 'shut/x', 'through/y');
    symlinkSync('a', `${workspace.path}/link`);
    const visit = (path: string) => ({ isNoted: path !== 'through', isEntered: path !== 'shut' });
    const { entries, isWhole, unread } = await read(workspace, { visit });
    expect([[...entries.keys()].sort(), isWhole, unread]).toEqual([
      ['a', 'a/b', 'a/b/c', 'link', 'shut', 'through/y'],
      true,
      [],
    ]);
  });

  it('is not whole where there is more than it may look at', async () => {
    using workspace = fill('a', 'b', 'c', 'd');
    expect(await read(workspace, { maxEntries: 4 })).toMatchObject({ isWhole: true });
    expect(await read(workspace, { maxEntries: 3 })).toMatchObject({ isWhole: false });
  });

  it('tells of names that are no text, and of directories that lie too deep to be looked into', async () => {
    using workspace = fill();
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/x`), Buffer.from([0xff])]), '');
    mkdirSync(`${workspace.path}/${'d/'.repeat(300)}`, { recursive: true });
    const { unread } = await read(workspace, { maxEntries: 1000 });
    expect([...unread].sort()).toEqual([Array(201).fill('d').join('/'), 'x\ufffd']);
  });

  it('opens a directory again that was shut, for whoever asks for that', async () => {
    using workspace = fill('a/b');
    chmodSync(`${workspace.path}/a`, 0);
    expect((await read(workspace, { reopens: true })).entries.has('a/b')).toBe(true);
  });
});

describe('compareManifests', () => {
  it('tells what was made, changed and removed, by whatever sign', async () => {
    using workspace = fill('append', 'mode', 'touch', 'replace', 'remove', 'kind', 'same', 'dir/in', 'gone/in');
    const { path } = workspace;
    const before = await read(workspace);
    appendFileSync(`${path}/append`, 'x');
    chmodSync(`${path}/mode`, 0o600);
    utimesSync(`${path}/touch`, 1, 1);
    workspace.write('new', 'old');
    renameSync(`${path}/new`, `${path}/replace`);
    for (const each of ['remove', 'kind', 'gone']) rmSync(`${path}/${each}`, { recursive: true });
    mkdirSync(`${path}/kind`);
    workspace.write('dir/made', '');
    const changes = compareManifests(before, await read(workspace));
    expect(changes.map(({ path, before, now }) => `${path}: ${before?.kind ?? 'none'} ${now?.kind ?? 'none'}`)).toEqual(
      [
        'append: file file',
        'dir/made: none file',
        'gone: directory none',
        'gone/in: file none',
        'kind: file directory',
        'mode: file file',
        'remove: file none',
        'replace: file file',
        'touch: file file',
      ],
    );
  });

  it('says of nothing that it is gone where the later look is not whole', async () => {
    using workspace = fill('a', 'b', 'c');
    const before = await read(workspace);
    expect(compareManifests(before, await read(workspace, { maxEntries: 1 }))).toEqual([]);
  });
});
