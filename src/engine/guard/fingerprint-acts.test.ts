import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import type { DeclaredAct, JudgedAct, ResolvedAct } from '../../shared/act.ts';
import { identifyProgram } from './identify-program.ts';

const allowed = {
  effect: 'allow',
  rule: null,
  layer: 'default',
  origin: 'default',
  because: '',
  wouldChange: null,
} as const;
const allow = (act: ResolvedAct): JudgedAct => ({ act, verdict: allowed });
const identity = expect.stringMatching(/^\d+:\d+:\d+:\d+$/);

async function fingerprint(workspace: GuardedWorkspace, ...acts: DeclaredAct[]) {
  const judged = await Promise.all(acts.map((act) => workspace.judge(act)));
  return await workspace.guard.fingerprint(judged.flat());
}

describe('the fingerprint of a call', () => {
  it('tells a content by its hash, and what is no file by a word', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one');
    mkdirSync(join(workspace.path, 'dir'));
    symlinkSync('a.txt', join(workspace.path, 'link'));
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    const targets = ['pipe', 'none', 'link', 'dir', 'a.txt', './a.txt'];
    const hash = workspace.files.hashOf(Buffer.from('one'));
    expect(await fingerprint(workspace, ...targets.map((target) => ({ kind: 'write', target }) as const))).toEqual([
      { path: 'a.txt', hash },
      { path: 'dir', hash: 'directory' },
      { path: 'link', hash },
      { path: 'none', hash: null },
      { path: 'pipe', hash: identity },
    ]);
  });

  it('changes with a single byte, and back', async () => {
    await using workspace = await openGuardedWorkspace();
    const contents = ['one', 'two', 'one'];
    const prints = [];
    for (const content of contents) {
      workspace.write('a', content);
      prints.push(JSON.stringify(await fingerprint(workspace, { kind: 'write', target: 'a' })));
    }
    expect([prints[0] === prints[1], prints[0] === prints[2]]).toEqual([false, true]);
  });

  it('tells programs, and files outside, by their identity and last change', async () => {
    await using workspace = await openGuardedWorkspace();
    const tool = join(workspace.outside, 'tool');
    writeFileSync(tool, '#!/bin/sh\n', { mode: 0o755 });
    const acts = [
      allow({
        kind: 'exec',
        target: 'grep x',
        program: identifyProgram('grep', { directory: '/', by: 'shell' }),
        opaque: null,
      }),
      allow({
        kind: 'exec',
        target: 'cd x',
        program: identifyProgram('cd', { directory: '/', by: 'shell' }),
        opaque: null,
      }),
      allow({ kind: 'exec', target: '$X', program: null, opaque: 'it is computed' }),
      allow({ kind: 'read', target: tool, real: tool, letterCase: 'exact', outside: true }),
      allow({ kind: 'net', target: 'example.org:443', address: null }),
    ];
    const before = await workspace.guard.fingerprint(acts);
    utimesSync(tool, 1, 1);
    const after = await workspace.guard.fingerprint(acts);
    const grep = realpathSync('/usr/bin/grep');
    expect(before).toEqual(
      [
        { path: tool, hash: identity },
        { path: grep, hash: identity },
      ].sort((left, right) => (left.path < right.path ? -1 : 1)),
    );
    expect(after.map(({ path, hash }, at) => [path, hash === before[at]?.hash])).toEqual(
      before.map(({ path }) => [path, path !== tool]),
    );
  });

  it('does not read a file of more than 64 MiB', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('large', '');
    truncateSync(join(workspace.path, 'large'), 64 * 1024 * 1024 + 1);
    expect(await fingerprint(workspace, { kind: 'read', target: 'large' })).toEqual([
      { path: 'large', hash: identity },
    ]);
  });

  it('does not look at what is denied', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=1');
    expect(await fingerprint(workspace, { kind: 'read', target: '.env' })).toEqual([]);
  });
});
