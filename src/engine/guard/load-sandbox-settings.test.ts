import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { toUserPolicyFile } from '../approval/scope-file.ts';
import { loadSandboxSettings } from './load-sandbox-settings.ts';

function say(home: string, sandbox: object): string {
  const file = toUserPolicyFile(home);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ sandbox }), { mode: 0o600 });
  return file;
}

function attempt({ home }: GuardedWorkspace, source: string) {
  const file = say(home, { mounts: [{ source }] });
  try {
    return loadSandboxSettings(home);
  } catch (error) {
    return { error, file };
  }
}

describe('loadSandboxSettings', () => {
  it('runs commands enclosed or not at all where nothing is said', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(loadSandboxSettings(workspace.home)).toEqual({ minimumIsolation: 'isolated', mounts: [] });
  });

  it('finds where a mount really lies, and shows it where it was asked for', async () => {
    await using workspace = await openGuardedWorkspace();
    const real = join(realpathSync(workspace.outside), 'sdk-2');
    mkdirSync(real);
    const link = join(workspace.outside, 'sdk');
    symlinkSync(real, link);
    say(workspace.home, { minimumIsolation: 'caps-only', mounts: [{ source: link, target: '/opt/sdk' }] });
    expect(loadSandboxSettings(workspace.home)).toEqual({
      minimumIsolation: 'caps-only',
      mounts: [{ source: real, target: '/opt/sdk' }],
    });
  });

  it('refuses a mount that is not there, naming it and the file', async () => {
    await using workspace = await openGuardedWorkspace();
    const source = join(workspace.outside, 'gone');
    const { error, file } = Object(attempt(workspace, source));
    expect(error).toMatchObject({
      code: 'policy-invalid',
      message: `Commands cannot be shown ${JSON.stringify(source)}: it is not there or cannot be looked at.`,
      remedy: `Correct the mounts of the policy ${file}.`,
    });
  });

  it('shows no command the home of the engine, whole, in part or by a link', async () => {
    await using workspace = await openGuardedWorkspace();
    const { home, outside } = workspace;
    const link = join(outside, 'link');
    symlinkSync(home, link);
    for (const source of [home, toUserPolicyFile(home), dirname(home), link]) {
      expect(attempt(workspace, source)).toMatchObject({
        error: { code: 'policy-invalid', message: expect.stringContaining('the engine keeps for itself') },
      });
    }
  });
});
