import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noHistory, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { AgentId } from '../../shared/id.ts';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';
import { exec } from '../tool/exec.ts';
import { applyChanges } from './apply-changes.ts';

const file = (text: string): ChangedEntry => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 });
const directory: ChangedEntry = { kind: 'directory', mode: 0o755 };
const made = (path: string, after: ChangedEntry): WorkspaceChange => ({ path, before: null, after });
const work = (changes: readonly WorkspaceChange[]) =>
  ({ kind: 'apply', changes, hash: '', text: 'Exit code 0.', status: 'ok', commandMs: 0 }) as const;

const own = { tool: exec, permitted: 'ask', isFirstTry: true, history: noHistory } as const;

describe('making what a command has left', () => {
  it('keeps to the order where one change needs another, however many are made together', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('was-directory/x', 'x');
    workspace.write('was-file', 'y');
    const many = Array.from({ length: 40 }, (_, index) => made(`new/deep/${index}`, file(`${index}`)));
    const changes = [
      made('new', directory),
      made('new/deep', directory),
      ...many,
      { path: 'was-directory/x', before: file('x'), after: null },
      { path: 'was-directory', before: directory, after: file('now a file') },
      { path: 'was-file', before: file('y'), after: directory },
      made('was-file/z', file('z')),
    ];
    const { signal } = new AbortController();
    const { guard, stance } = workspace;
    const applied = await applyChanges(guard, stance, work(changes), {
      ...own,
      signal,
    });
    expect([applied.result.status, applied.paths, applied.isCutOff]).toEqual([
      'ok',
      changes.map(({ path }) => path),
      false,
    ]);
    expect(
      ['new/deep/0', 'new/deep/39', 'was-directory', 'was-file/z'].map((path) => `${workspace.read(path)}`),
    ).toEqual(['0', '39', 'now a file', 'z']);
  });

  it('ends where the run is stopped, and tells what was not made', async () => {
    await using workspace = await openGuardedWorkspace();
    const { guard, stance } = workspace;
    const options = { ...own, signal: AbortSignal.abort('SIGTERM') };
    const applied = await applyChanges(guard, stance, work([made('a', file('a')), made('b\nc', file('b'))]), options);
    expect([existsSync(join(workspace.path, 'a')), applied]).toEqual([
      false,
      {
        result: {
          status: 'failed',
          text: 'Exit code 0.\nNot changed:\n- a: the run was stopped before it came to this\n- "b\\nc": the run was stopped before it came to this',
          origin: 'command',
          seen: [],
        },
        paths: [],
        isCutOff: true,
      },
    ]);
  });

  it('says who was quicker, and what is different since the command saw it', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', 'one\nTWO\n');
    const { guard, stance } = workspace;
    const agentId = AgentId.parse('root/1.0');
    const lastWriter = () => ({ agentId, step: 3, hash: null, isOwn: false });
    const changes = [{ path: 'a', before: file('one\ntwo\n'), after: file('one\ntwo\nthree\n') }];
    const { signal } = new AbortController();
    const applied = await applyChanges(guard, stance, work(changes), {
      ...own,
      history: { ...noHistory, lastWriter },
      signal,
    });
    expect([applied.result.status, applied.paths, applied.result.text]).toEqual([
      'failed',
      [],
      'Exit code 0.\nNot changed:\n- a: somebody else has changed it meanwhile. The agent root/1.0 changed it last, in step 3, with a command. What is different since the command saw it:\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO',
    ]);
  });
});
