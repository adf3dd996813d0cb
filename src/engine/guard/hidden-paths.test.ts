import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEntries } from '../../../test/support/describe-entries.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { defaultPolicy } from '../policy/default-policy.ts';
import type { Policy, Rule } from '../policy/policy.ts';
import { openGuard } from './open-guard.ts';

const withRules = (rules: readonly Rule[], read: 'allow' | 'deny' = 'allow'): Policy => ({
  layers: [...defaultPolicy.layers, { name: 'test', origin: 'user', rules, remedy: '' }],
  defaults: { ...defaultPolicy.defaults, read },
});

async function hiddenIn({ guard, stance }: GuardedWorkspace, policy: Policy = stance.policy): Promise<string[]> {
  return [...(await guard.hidden({ ...stance, policy }))].sort();
}

describe('what a command must not find', () => {
  it('is every file that may not be read, and a directory only once', async () => {
    await using workspace = await openGuardedWorkspace();
    for (const path of ['.env', 'a/b/.env', 'a/b/c', '.ssh/config', 'a/.env.example', 'a/key.pem'])
      workspace.write(path, '');
    workspace.write('private/x', '');
    const policy = withRules([{ act: 'read', effect: 'deny', pattern: 'private' }]);
    expect(await hiddenIn(workspace, policy)).toEqual(['.env', '.ssh', 'a/b/.env', 'a/key.pem', 'private']);
  });

  it('does not follow links, and holds a link of a denied name', async () => {
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, '.env'), '');
    workspace.write('dir/.env', '');
    symlinkSync('a', join(workspace.path, '.env'));
    symlinkSync('dir/.env', join(workspace.path, 'alias'));
    symlinkSync(workspace.outside, join(workspace.path, 'out'));
    symlinkSync('dir', join(workspace.path, 'again'));
    expect(await hiddenIn(workspace)).toEqual(['.env', 'dir/.env']);
  });

  it('leaves what a rule opens where reading is denied by default, and hides a directory that holds nothing else', async () => {
    await using workspace = await openGuardedWorkspace();
    for (const path of ['src/a.ts', 'src/b.js', 'src/deep/c.ts', 'other/x', 'other/deep/y', 'top'])
      workspace.write(path, '');
    mkdirSync(join(workspace.path, 'empty'));
    const policy = withRules([{ act: 'read', effect: 'allow', pattern: 'src/*.ts' }], 'deny');
    expect(await hiddenIn(workspace, policy)).toEqual(['empty', 'other', 'src/b.js', 'top']);
  });

  it("holds the engine's own directory where that lies inside", async () => {
    await using workspace = await openGuardedWorkspace();
    const home = join(workspace.path, 'state/home');
    mkdirSync(home, { recursive: true });
    workspace.write('state/home/journal', '');
    const guard = await openGuard({ workspace: workspace.path, home, sandbox: unused });
    expect(await guard.hidden(workspace.stance)).toEqual(['state/home']);
    guard.close();
  });

  it('refuses where a denied name is no text, and does not mind one that may be read', async () => {
    await using workspace = await openGuardedWorkspace();
    const at = (head: string) => Buffer.concat([Buffer.from(`${workspace.path}/${head}`), Buffer.from([0xff])]);
    writeFileSync(at('name'), '');
    expect(await hiddenIn(workspace)).toEqual([]);
    writeFileSync(at('.env.'), '');
    await expect(hiddenIn(workspace)).rejects.toMatchObject({ code: 'workspace-unusable' });
  });

  it.runIf(process.getuid?.() === 0)(
    'holds a directory that cannot be looked into (needs root, to drop it)',
    async () => {
      await using workspace = await openGuardedWorkspace();
      workspace.write('closed/.env', '');
      chmodSync(join(workspace.path, 'closed'), 0o711);
      for (const path of [join(workspace.path, '..'), workspace.path]) chmodSync(path, 0o755);
      const load = (path: string) => `await import('${pathToFileURL(join(import.meta.dirname, path)).href}')`;
      const script = `
        process.setgroups([]); process.setgid(65534); process.setuid(65534);
        const { openGuard } = ${load('open-guard.ts')};
        const { defaultPolicy } = ${load('../policy/default-policy.ts')};
        const guard = await openGuard({ workspace: ${JSON.stringify(workspace.path)}, home: null, sandbox: null });
        console.log(await guard.hidden({ policy: defaultPolicy, isTainted: false, isolation: 'none' }));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      expect({ stdout, stderr }).toEqual({ stdout: "[ 'closed' ]\n", stderr: '' });
    },
  );

  it('is the same after any changes, looked for anew or not', async () => {
    const name = fc.constantFrom('.env', 'a', 'b', 'c.pem', '.ssh');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const act = fc.tuple(fc.constantFrom('write', 'make', 'remove', 'move', 'link'), path, path);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
        await using workspace = await openGuardedWorkspace();
        for (const [kind, path, other] of acts) {
          change(workspace.path, kind, path, other);
          const fresh = await openGuard({ workspace: workspace.path, home: null, sandbox: unused });
          expect(await hiddenIn(workspace)).toEqual([...(await fresh.hidden(workspace.stance))].sort());
          fresh.close();
        }
        const hidden = await hiddenIn(workspace);
        const isHidden = (path: string) => hidden.some((each) => path === each || path.startsWith(`${each}/`));
        for (const path of Object.keys(describeEntries(workspace.path))) {
          const isSecret = path.split('/').some((part) => ['.env', 'c.pem', '.ssh'].includes(part));
          expect([path, isHidden(path)]).toEqual([path, isSecret]);
        }
      }),
      { numRuns: 30 },
    );
  });
});

const unused = { isolation: null, run: () => Promise.reject(new Error('No command is run here.')) };

function change(workspace: string, kind: string, path: string, other: string): void {
  const [at, to] = [join(workspace, path), join(workspace, other)];
  try {
    if (kind === 'write') writeFileSync(at, 'x');
    else if (kind === 'make') mkdirSync(at, { recursive: true });
    else if (kind === 'remove') rmSync(at, { recursive: true });
    else if (kind === 'move') renameSync(at, to);
    else symlinkSync('a', at);
  } catch {
    // Not possible as things are.
  }
}
