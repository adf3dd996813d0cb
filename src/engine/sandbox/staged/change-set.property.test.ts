import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntries } from '../../../../test/support/describe-entries.ts';
import { findOverlayObstacle, runInOverlay } from '../../../../test/support/overlay.ts';
import { createTemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import type { Leavings, WorkspaceChange } from '../sandbox.ts';
import { copyWorkspace } from './copy-workspace.ts';
import { readOverlayChanges } from './read-overlay-changes.ts';

const obstacle = findOverlayObstacle();
if (obstacle !== null) console.log(`change sets of overlays: skipped, as ${obstacle}`);

/** Few names, so that operations meet. */
const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const content = fc.constantFrom('one', 'two', 'longer than those');
const fileMode = fc.constantFrom('644', '755', '600', '4755', '000');
const directoryMode = fc.constantFrom('755', '700', '1777');

type Command = readonly string[];
const operation: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(fc.constant('write'), path, content),
  fc.tuple(fc.constant('append'), path, content),
  fc.tuple(fc.constant('replace'), path, content),
  fc.tuple(fc.constant('chmod'), path, fileMode, directoryMode),
  fc.tuple(fc.constant('move'), path, path),
  fc.tuple(fc.constant('copy'), path, path),
  fc.tuple(fc.constant('remove'), path),
  fc.tuple(fc.constant('make'), path),
  fc.tuple(fc.constant('remake'), path),
  fc.tuple(fc.constant('link'), path, path),
  fc.tuple(fc.constant('hard-link'), path, path),
  fc.tuple(fc.constant('swap'), path, path),
);

const operations = fc.array(operation, { minLength: 1, maxLength: 12 });

/** So that most operations find something. */
const start: readonly Command[] = [
  ['make', 'a/b'],
  ['make', 'b'],
  ['write', 'a/c', 'one'],
  ['write', 'a/b/c', 'two'],
  ['write', 'b/a', 'one'],
];

/** Each as bash does it; what cannot be done there is left undone. */
const functions = `
  exec 2> /dev/null
  write() { echo -n "$2" > "$1"; }
  append() { echo -n "$2" >> "$1"; }
  replace() { echo -n "$2" > temporary && mv -T temporary "$1"; rm -f temporary; }
  chmod() { if [ -L "$1" ]; then :; elif [ -d "$1" ]; then command chmod "$3" "$1"; else command chmod "$2" "$1"; fi; }
  move() { mv -T "$1" "$2"; }
  copy() { cp -rT "$1" "$2"; }
  remove() { rm -rf "$1"; }
  make() { mkdir -p "$1"; }
  remake() { if [ -d "$1" ] && [ ! -L "$1" ]; then rm -rf "$1"; mkdir "$1"; fi; }
  link() { ln -sT "$2" "$1"; }
  hard-link() { ln -T "$2" "$1"; }
  swap() { mv -T "$1" temporary && { mv -T "$2" "$1"; mv -T temporary "$2" || mv -T temporary "$1"; }; rm -rf temporary; }`;

describe('a change set, made in a copy of the workspace as it was', () => {
  it.runIf(obstacle === null)(
    'leaves just what the command left in its overlay',
    async () => {
      const seen = { runs: 0, changes: 0 };
      await fc.assert(
        fc.asyncProperty(operations, operations, async (first, then) => {
          using workspace = createTemporaryDirectory();
          using copy = createTemporaryDirectory();
          runIn(workspace.path, [...start, ...first]);
          execFileSync('cp', ['-a', `${workspace.path}/.`, copy.path]);
          using run = await runInOverlay({ lower: workspace.path, script: toScript(then) });
          const left = describeEntries(run.merged);
          seen.runs++;
          seen.changes += applyAll(await readOverlayChanges(run), copy.path);
          expect(describeEntries(copy.path)).toEqual(left);
        }),
        { numRuns: 40 },
      );
      expect(seen.changes).toBeGreaterThan(seen.runs);
    },
    60_000,
  );

  it('leaves just what the command left in its own copy', async () => {
    const seen = { runs: 0, changes: 0 };
    await fc.assert(
      fc.asyncProperty(operations, operations, async (first, then) => {
        using workspace = createTemporaryDirectory();
        using into = createTemporaryDirectory();
        runIn(workspace.path, [...start, ...first]);
        const copy = await copyWorkspace({ workspace: workspace.path, hidden: [], into: into.path, owner: null });
        if (copy.kind !== 'copied') throw new Error(copy.reason);
        expect(describeEntries(copy.path)).toEqual(describeEntries(workspace.path));
        runIn(copy.path, then);
        const left = describeEntries(copy.path);
        seen.runs++;
        seen.changes += applyAll(await copy.readChanges(), workspace.path);
        expect(describeEntries(workspace.path)).toEqual(left);
      }),
      { numRuns: 40 },
    );
    expect(seen.changes).toBeGreaterThan(seen.runs);
  }, 60_000);
});

function runIn(directory: string, commands: readonly Command[]): void {
  spawnSync('bash', ['-c', toScript(commands)], { cwd: directory });
}

function toScript(commands: readonly Command[]): string {
  return [functions, ...commands.map((words) => words.map((word) => `'${word}'`).join(' '))].join('\n');
}

/** Without any look at what is there: each change has to be possible where it stands. */
function applyAll(left: Leavings, directory: string): number {
  if (left.kind !== 'changes' || left.lost.length > 0) throw new Error(JSON.stringify(left));
  for (const change of left.changes) apply(change, join(directory, change.path));
  return left.changes.length;
}

function apply({ before, after }: WorkspaceChange, at: string): void {
  const staysDirectory = before?.kind === 'directory' && after?.kind === 'directory';
  if (before?.kind === 'directory' && !staysDirectory) rmdirSync(at);
  else if (before !== null && !staysDirectory) unlinkSync(at);
  if (after?.kind === 'file') writeFileSync(at, after.bytes, { flag: 'wx' });
  if (after?.kind === 'link') symlinkSync(after.target, at);
  if (after?.kind === 'directory' && !staysDirectory) mkdirSync(at);
  if (after !== null && after.kind !== 'link') chmodSync(at, after.mode);
}
