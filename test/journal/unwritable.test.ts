// A home that this user may not write. Root may write everything, so the journal is opened by somebody else.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/engine/journal/open-store.ts';

const program = join(import.meta.dirname, '../fixtures/journal-open.ts');
const nobody = 65_534;

async function openAsNobody(home: string): Promise<string> {
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [program, home], { ...identity, cwd: '/' });
  return stdout.trim();
}

describe('a home that cannot be written', () => {
  it.each<[what: string, prepare: (home: string) => void, protect: (home: string) => void]>([
    ['without a journal', () => {}, (home) => chmodSync(home, 0o555)],
    ['with a journal in it', (home) => openStore(join(home, 'journal.db')).close(), (home) => chmodSync(home, 0o555)],
    [
      'although its directory can',
      (home) => openStore(join(home, 'journal.db')).close(),
      (home) => {
        chmodSync(join(home, 'journal.db'), 0o444);
        chmodSync(home, 0o777);
      },
    ],
  ])('%s is store-unwritable, names the file and leaves nothing behind', async (_what, prepare, protect) => {
    const parent = mkdtempSync(join(tmpdir(), 'journal-'));
    chmodSync(parent, 0o755);
    try {
      prepare(parent);
      const before = readdirSync(parent);
      protect(parent);
      expect(await openAsNobody(parent)).toMatch(
        `store-unwritable The journal ${join(parent, 'journal.db')} cannot be written`,
      );
      expect(readdirSync(parent)).toEqual(before);
    } finally {
      chmodSync(parent, 0o755);
      rmSync(parent, { recursive: true });
    }
  });
});
