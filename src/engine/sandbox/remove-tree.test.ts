import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from './remove-tree.ts';

const isLinux = process.platform === 'linux';
const isRoot = isLinux && process.geteuid?.() === 0;
let root = '';
let tree = '';
let outside = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remove-tree-'));
  tree = join(root, 'tree');
  outside = join(root, 'outside');
  mkdirSync(tree);
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('removing a tree', () => {
  it('removes files, links, pipes and directories, and nothing that a link leads to', async () => {
    symlinkSync(outside, join(tree, 'link'));
    symlinkSync(join(outside, 'kept'), join(tree, 'link-to-file'));
    execFileSync('/bin/sh', [
      '-c',
      'cd "$0" && mkdir -p a/b/c "io-studio-removed-0" && mkfifo a/pipe && : >a/b/c/file',
      tree,
    ]);
    const isGone = await removeTree(tree);
    expect({ isGone, left: readdirSync(root), kept: readdirSync(outside) }).toEqual({
      isGone: true,
      left: ['outside'],
      kept: ['kept'],
    });
  });

  it('has nothing to do where there is nothing', async () => {
    expect(await removeTree(join(root, 'missing'))).toBe(true);
  });

  it('leaves a link alone that lies in place of the tree, and a file', async () => {
    symlinkSync(outside, join(root, 'link'));
    const gone = [await removeTree(join(root, 'link')), await removeTree(join(outside, 'kept'))];
    expect({ gone, left: readdirSync(root), kept: readdirSync(outside) }).toEqual({
      gone: [false, false],
      left: ['link', 'outside', 'tree'],
      kept: ['kept'],
    });
  });

  it.runIf(isLinux)('removes names that are no text and paths longer than the system takes (needs Linux)', async () => {
    const line = String.raw`
      chdir $ARGV[0]; mkdir "\xff\xfe"; open(my $f, ">", "\xff\xfe/\xc3"); close $f;
      for (1 .. 100) { mkdir "d" x 50; chdir "d" x 50 or die; }`;
    execFileSync('perl', ['-e', line, tree]);
    expect(await removeTree(tree)).toBe(true);
    expect(existsSync(tree)).toBe(false);
  });

  it('removes directories that a command has shut', async () => {
    const source = join(import.meta.dirname, 'remove-tree.ts');
    const made = 'mkdir -p "$0/a/b/c" "$0/d/e" && : >"$0/a/b/file" && chmod 0 "$0/a/b/c" "$0/a/b" "$0/a" "$0/d"';
    const run = (file: string, ...args: string[]): string => {
      // Root may enter what is shut, so somebody else has to try.
      const user = isRoot ? { uid: 61_003, gid: 61_003 } : {};
      return execFileSync(file, args, { ...user, cwd: '/', encoding: 'utf8' }).trim();
    };
    chmodSync(root, 0o777);
    chmodSync(tree, 0o777);
    run('/bin/sh', '-c', made, join(tree, 'shut'));
    const script = `import { removeTree } from '${source}'; console.log(await removeTree(process.argv[1]));`;
    expect(run(process.execPath, '--input-type=module', '-e', script, join(tree, 'shut'))).toBe('true');
    expect(readdirSync(tree)).toEqual([]);
  });

  it.runIf(isLinux)(
    'never leaves it while a survivor swaps directories for links (needs Linux)',
    async () => {
      const swap = String.raw`
      $| = 1; my ($tree, $outside) = @ARGV; print "up\n";
      while (getppid() != 1) {
        mkdir "$tree/$_" for 'a', 'b'; mkdir "$tree/a/inner"; open(my $f, ">", "$tree/a/inner/kept"); close $f;
        rename "$tree/a", "$tree/c"; symlink $outside, "$tree/a"; rename "$tree/c/inner", "$tree/b/inner";
        symlink $outside, "$tree/c/inner"; unlink "$tree/a";
      }`;
      const survivor = spawn('perl', ['-e', swap, tree, outside], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await once(survivor.stdout, 'data');
        // As many rounds as there is time for: with somebody at work in it a removal may take a while.
        const until = performance.now() + 5_000;
        for (let round = 0; round < 300 && performance.now() < until; round++) {
          await removeTree(tree);
          mkdirSync(tree, { recursive: true });
        }
      } finally {
        survivor.kill('SIGKILL');
        await once(survivor, 'close');
      }
      expect(readdirSync(outside)).toEqual(['kept']);
      expect(await removeTree(tree)).toBe(true);
    },
    30_000,
  );
});
