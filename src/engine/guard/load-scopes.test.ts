import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { toProjectPolicyFile, toUserPolicyFile } from '../approval/scope-file.ts';
import { loadScopes } from './load-scopes.ts';

const policy = { layers: [{ name: 'own', rules: [{ act: 'write', effect: 'deny', pattern: 'secrets/*' }] }] };
const text = `// A comment\n${JSON.stringify(policy)}`;

function put(file: string, content: string | Uint8Array = text): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o600 });
}

const filesOf = ({ home, path, outside }: GuardedWorkspace) => ({
  user: toUserPolicyFile(home),
  project: toProjectPolicyFile(home, path),
  app: join(outside, 'app.jsonc'),
  repository: join(path, '.io-studio', 'policy.jsonc'),
});

const load = ({ home, path }: GuardedWorkspace, policyFile: string | null = null) =>
  loadScopes({ home, workspace: path, policyFile });

/** What is wrong, or what was loaded. */
function attempt(workspace: GuardedWorkspace, policyFile: string | null = null) {
  try {
    return load(workspace, policyFile).map(({ origin }) => origin);
  } catch (error) {
    return error;
  }
}

describe('loadScopes', () => {
  it('reads every scope that is there, from the widest to the narrowest', async () => {
    await using workspace = await openGuardedWorkspace();
    const files = filesOf(workspace);
    for (const file of Object.values(files)) put(file);
    expect(load(workspace, files.app)).toEqual(
      Object.entries(files).map(([origin, file]) => ({ origin, file, policy })),
    );
  });

  it('takes absent files for nothing, and a home that is not there too', async () => {
    await using workspace = await openGuardedWorkspace();
    const before = load(workspace);
    rmSync(workspace.home, { recursive: true });
    expect([before, load(workspace), readdirSync(workspace.path)]).toEqual([[], [], []]);
  });

  it('refuses a named file that is not there', async () => {
    await using workspace = await openGuardedWorkspace();
    const { app } = filesOf(workspace);
    expect(attempt(workspace, app)).toMatchObject({ code: 'policy-invalid', message: expect.stringContaining(app) });
  });

  it.each(['user', 'project', 'app', 'repository'] as const)(
    'names the malformed file of the scope %s',
    async (scope) => {
      await using workspace = await openGuardedWorkspace();
      const files = filesOf(workspace);
      const contents = [
        '{"layers":',
        '{"unknown":1}',
        Buffer.from('{"layers":[]}\xff', 'latin1'),
        ' '.repeat(1024 * 1024 + 1),
      ];
      const errors = contents.map((content) => {
        put(files[scope], content);
        return attempt(workspace, scope === 'app' ? files.app : null);
      });
      expect(errors).toEqual(
        contents.map(() =>
          expect.objectContaining({ code: 'policy-invalid', message: expect.stringContaining(files[scope]) }),
        ),
      );
    },
  );

  it('does not follow a link below the home or the workspace, wherever it leads', async () => {
    await using workspace = await openGuardedWorkspace();
    const { user, repository, app } = filesOf(workspace);
    put(app);
    symlinkSync(app, user);
    const byLink = attempt(workspace);
    rmSync(user);
    put(join(workspace.path, 'other', 'policy.jsonc'));
    symlinkSync('other', dirname(repository));
    expect([byLink, attempt(workspace)]).toMatchObject([
      { code: 'policy-invalid', message: expect.stringContaining(user) },
      { code: 'policy-invalid', message: expect.stringContaining(repository) },
    ]);
  });

  it('follows the links to a file that a person names', async () => {
    await using workspace = await openGuardedWorkspace();
    const { app } = filesOf(workspace);
    put(app);
    const file = join(workspace.outside, 'link.jsonc');
    symlinkSync(app, file);
    expect(load(workspace, file)).toEqual([{ origin: 'app', file, policy }]);
  });

  it.each([
    ['a directory', (file: string) => mkdirSync(file, { recursive: true }), 'it is not a regular file'],
    ['a file that others may write', (file: string) => chmodSync(file, 0o620), 'other users may write it'],
  ])('refuses %s in the home', async (_, spoil, reason) => {
    await using workspace = await openGuardedWorkspace();
    const { project } = filesOf(workspace);
    if (reason.startsWith('other')) put(project);
    spoil(project);
    expect(attempt(workspace)).toMatchObject({
      code: 'policy-invalid',
      message: `The policy file ${JSON.stringify(project)} cannot be used: ${reason}.`,
    });
  });

  it.runIf(process.getuid?.() === 0)(
    "refuses another user's file in the home, and not in the repository (needs root)",
    async () => {
      await using workspace = await openGuardedWorkspace();
      const { user, repository } = filesOf(workspace);
      for (const file of [user, repository]) {
        put(file);
        chownSync(file, 65534, 65534);
      }
      const withUser = attempt(workspace);
      rmSync(user);
      expect([withUser, attempt(workspace)]).toMatchObject([
        { message: `The policy file ${JSON.stringify(user)} cannot be used: it belongs to another user.` },
        ['repository'],
      ]);
    },
  );
});
