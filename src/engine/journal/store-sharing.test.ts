import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSharing } from './store-sharing.ts';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sharing-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const on = (type: number, mounts = '') => ({ readType: () => type, readMounts: () => mounts });
const ext4 = 0xef53;
const fuse = 0x65735546;
const mount = (point: string, kind: string): string => `36 35 0:52 / ${point} rw,nosuid shared:1 - ${kind} source rw\n`;

describe('a directory on a file system', () => {
  it.each([
    [0x6969, 'it lies on NFS'],
    [0xff534d42, 'it lies on SMB'],
    [0x00c36400, 'it lies on Ceph'],
    [ext4, null],
    [0x58465342, null],
    [0x1021994, null],
  ])('of the type %i: %s', (type, sharing) => {
    expect(findSharing(base, on(type))).toBe(sharing);
  });

  it.each([
    ['of its own machine', mount('/', 'ext4') + mount('BASE', 'fuse.gocryptfs'), null],
    ['of another', mount('/', 'ext4') + mount('BASE', 'fuse.sshfs'), 'fuse.sshfs'],
    [
      'that lies over one of its own machine',
      mount('BASE', 'fuse.bindfs') + mount('BASE', 'fuse.rclone'),
      'fuse.rclone',
    ],
    ['in a mount beside it', mount('BASE', 'fuseblk') + mount('BASE-other', 'fuse.sshfs'), null],
    ['of which nothing is known', mount('/', 'ext4') + mount('BASE', 'fuse.new'), 'fuse.new'],
  ])('of FUSE %s is judged by its kind', (_what, mounts, kind) => {
    const sharing = findSharing(base, on(fuse, mounts.replaceAll('BASE', base)));
    expect(sharing).toBe(kind === null ? null : `it lies on the file system "${kind}", which may lead anywhere`);
  });

  it('is found in the list of mounts also where its name is written in octal', () => {
    const path = join(base, 'a b');
    mkdirSync(path);
    const mounts = mount('/', 'fuseblk') + mount(path.replaceAll(' ', '\\040'), 'fuse.sshfs');
    expect(findSharing(path, on(fuse, mounts))).toMatch('fuse.sshfs');
  });
});

describe('a directory below one that is synchronised', () => {
  it.each<[by: string, make: (path: string) => void, below: string]>([
    ['Dropbox', (path) => writeFileSync(join(path, '.dropbox'), ''), ''],
    ['Dropbox', (path) => mkdirSync(join(path, '.dropbox.cache')), ''],
    ['Google Drive', (path) => mkdirSync(join(path, '.tmp.drivedownload')), ''],
    ['Google Drive', () => {}, 'Google Drive'],
    ['GoogleDrive-ada@example.org', () => {}, 'Library/CloudStorage/GoogleDrive-ada@example.org'],
    ['OneDrive', () => {}, 'OneDrive - Example'],
    ['iCloud Drive', () => {}, 'Library/Mobile Documents'],
    ['Syncthing', (path) => mkdirSync(join(path, '.stfolder')), ''],
    ['Nextcloud', (path) => writeFileSync(join(path, '.nextcloudsync.log'), ''), ''],
  ])('by %s is recognised, whether it is there yet or not, and through a link', (by, make, below) => {
    make(base);
    const top = join(base, below);
    mkdirSync(join(top, 'deep'), { recursive: true });
    symlinkSync(join(top, 'deep'), join(base, 'link'));
    const paths = [join(top, 'deep'), join(top, 'deep', 'to', 'be', 'made'), join(base, 'link')];
    expect(paths.map((path) => findSharing(path, on(ext4)))).toEqual(paths.map(() => `it is copied by ${by}`));
  });

  it('is not one because Dropbox keeps its own settings above it', () => {
    mkdirSync(join(base, '.dropbox'));
    expect(findSharing(join(base, 'home'), on(ext4))).toBeNull();
  });
});
