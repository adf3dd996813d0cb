import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toProjectPolicyFile, toUserPolicyFile } from './scope-file.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'scope-file-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function workspace(name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const idOf = (path: string): string => basename(dirname(toProjectPolicyFile('/home', path)));

describe('the policy files of a person', () => {
  it('lie in the home, for everything and for one workspace (anthropics/claude-code#26535)', () => {
    expect(toUserPolicyFile('/home')).toBe('/home/policy.jsonc');
    expect(toProjectPolicyFile('/home', workspace('shop'))).toMatch(
      /^\/home\/projects\/shop-[0-9a-f]{16}\/policy\.jsonc$/,
    );
  });

  it('are the same for a workspace by whatever way it is reached', () => {
    const path = workspace('shop');
    symlinkSync(path, join(root, 'link'));
    expect([idOf(join(root, 'link')), idOf(`${path}/../shop/`)]).toEqual([idOf(path), idOf(path)]);
  });

  it('are not the same for two workspaces of one name', () => {
    expect(idOf(workspace('a/shop'))).not.toBe(idOf(workspace('b/shop')));
  });

  it.each([
    ['blanks and signs', 'my shop: "new"\n', /^my-shop-new--[0-9a-f]{16}$/],
    ['other scripts', 'лавка', /^--[0-9a-f]{16}$/],
    ['a very long name', 'x'.repeat(200), /^x{40}-[0-9a-f]{16}$/],
    ['a hidden name', '.hidden', /^\.hidden-[0-9a-f]{16}$/],
  ])('have a name of safe characters for %s', (_what, name, id) => {
    expect(idOf(workspace(name))).toMatch(id);
  });

  it('are not made up for the root of the file system', () => {
    expect(idOf('/')).toMatch(/^root-[0-9a-f]{16}$/);
  });

  it('are refused for a workspace that is not there', () => {
    expect(() => toProjectPolicyFile('/home', join(root, 'nowhere'))).toThrow(
      expect.objectContaining({ code: 'workspace-unusable' }),
    );
  });
});
