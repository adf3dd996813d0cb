// The changes of a command, made while a process swaps the directories they lie in for links to a place outside.
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissivePolicy } from '../../src/engine/policy/permissive-policy.ts';
import type { ChangedEntry } from '../../src/engine/sandbox/sandbox.ts';
import { describeEntries } from '../support/describe-entries.ts';
import { openGuardedWorkspace } from '../support/guarded-workspace.ts';
import { startSwapper, stopSwapper } from '../support/swapper.ts';

const rounds = 500;
const directories = ['dir', 'deep/mid'];
/** In memory a round is not spent on waiting for a disk. */
const fastDirectory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const file = (text: string): ChangedEntry => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 });
/** Each is undone by the one after the next. */
const states: readonly ChangedEntry[] = [
  file('one'),
  { kind: 'directory', mode: 0o755 },
  { kind: 'link', target: 'file' },
  { kind: 'file', bytes: Buffer.from('two'), mode: 0o600 },
];

describe('changes of a command in directories that are swapped for links', () => {
  it.runIf(process.platform === 'linux')(
    `never touch anything outside, in ${rounds} rounds`,
    async () => {
      await using workspace = await openGuardedWorkspace(permissivePolicy, { directory: fastDirectory });
      const { guard, stance, outside } = workspace;
      for (const directory of directories) workspace.write(`${directory}/file`, 'inside');
      // The same entries outside, so that every change would find there what it begins with.
      writeFileSync(join(outside, 'file'), 'one');
      symlinkSync('file', join(outside, 'link'));
      const before = describeEntries(outside);
      const swapper = await startSwapper(workspace, directories);
      const kinds = new Map<string, number>();
      const current = new Map<string, ChangedEntry | null>();
      for (let round = 0; round < rounds; round++) {
        for (const path of directories.flatMap((each) => [`${each}/entry`, `${each}/link`])) {
          const after = round % 5 === 4 ? null : (states[round % states.length] ?? null);
          const change = { path, before: current.get(path) ?? null, after };
          const made = await guard.change(change, { permitted: 'ask' }, stance);
          if (made.kind === 'made') current.set(path, after);
          kinds.set(made.kind, (kinds.get(made.kind) ?? 0) + 1);
        }
        for (const path of directories.map((each) => `${each}/file`)) {
          const made = await guard.change({ path, before: file('one'), after: null }, { permitted: 'ask' }, stance);
          kinds.set(`removal ${made.kind}`, (kinds.get(`removal ${made.kind}`) ?? 0) + 1);
        }
      }
      const swaps = await stopSwapper(swapper);
      console.log(
        `change race: ${rounds} rounds, ${swaps} swaps, ${[...kinds].map((each) => each.join(' ')).join(', ')}`,
      );
      expect(describeEntries(outside)).toEqual(before);
      expect(swaps).toBeGreaterThan(100);
      expect(kinds.get('made')).toBeGreaterThan(rounds / 10);
    },
    60_000,
  );
});
