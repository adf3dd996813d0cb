import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTree, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

const rounds = 300;

/** Exchanges `dir` for a link to the outside and back, at moments nobody knows; what is created in between makes way. */
const swapper = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
  const [workspace, outside] = process.argv.slice(1);
  const attempt = (act) => { try { act(); return true; } catch { return false; } };
  const linger = () => { for (const end = performance.now() + Math.random() / 5; performance.now() < end; ); };
  process.chdir(workspace);
  console.log('ready');
  for (;;) {
    linger();
    attempt(() => renameSync('dir', 'kept'));
    attempt(() => symlinkSync(outside, 'dir'));
    linger();
    attempt(() => unlinkSync('dir')) || attempt(() => rmSync('dir', { recursive: true }));
    attempt(() => renameSync('kept', 'dir'));
  }`;

describe('a directory that is swapped for a link while it is used', () => {
  it.runIf(process.platform === 'linux')(
    `never redirects a read or a write, in ${rounds} rounds (needs Linux)`,
    async () => {
      await using workspace = await openGuardedWorkspace();
      const { guard, outside } = workspace;
      mkdirSync(join(workspace.path, 'dir'));
      workspace.write('dir/file', 'inside');
      writeFileSync(join(outside, 'file'), 'outside');
      const child = spawn(process.execPath, ['-e', swapper, workspace.path, outside], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      const seen: string[] = [];
      let before = guard.files.hashOf(Buffer.from('inside'));
      for (let round = 0; round < rounds; round++) {
        for (let look = 0; look < 5; look++) {
          const read = await guard.files.read('dir/file', 100);
          if (read.kind === 'file') seen.push(Buffer.from(read.file.bytes).toString());
        }
        const after = Buffer.from(`inside ${round}`);
        const replaced = await guard.replace('dir/file', before, after);
        if (replaced.kind === 'replaced') before = guard.files.hashOf(after);
        await guard.replace(`dir/new-${round}`, null, after);
      }
      await end(child);
      expect({ places: [...new Set(seen.map((text) => text.slice(0, 6)))], outside: listTree(outside) }).toEqual({
        places: ['inside'],
        outside: ['file'],
      });
    },
    60_000,
  );
});

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
