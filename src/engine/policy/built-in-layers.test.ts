import { describe, expect, it } from 'vitest';
import type { ActKind, PathAct } from '../../shared/act.ts';
import { withLayers } from './compose-policy.ts';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { permissivePolicy } from './permissive-policy.ts';
import type { Layer, Policy } from './policy.ts';
import { protectedPaths } from './protected-paths.ts';

const usual = { isTainted: false, isolation: 'none' };
const path = (kind: PathAct['kind'], target: string): PathAct => ({
  kind,
  target,
  real: target,
  letterCase: 'exact',
  outside: target.startsWith('/'),
});
const judge = (policy: Policy, kind: PathAct['kind'], target: string, isTainted = false) =>
  evaluatePolicy(policy, path(kind, target), { ...usual, isTainted });

const allowing = (act: ActKind, pattern: string): Layer => ({
  name: 'own',
  origin: 'user',
  rules: [{ act, effect: 'allow', pattern }],
  remedy: 'change it',
});

describe('the layer secrets', () => {
  it.each([
    '.env',
    'app/.env',
    '.env.local',
    'deep/down/.env.production',
    'deploy/prod.env',
    'server.pem',
    'certs/tls.key',
    'id_rsa',
    'backup/id_ed25519',
    'id_ecdsa',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.pgpass',
    '.aws',
    '.aws/credentials',
    'home/.aws/credentials',
    '.ssh/config',
    'home/.ssh',
    'home/.docker/config.json',
    '/home/ada/.ssh/id_custom',
  ])('denies reading and writing %s, whatever is allowed', (target) => {
    const policy = withLayers(permissivePolicy, [
      allowing('read', target),
      allowing('write', target),
      allowing('read', '/*'),
    ]);
    expect([judge(policy, 'read', target), judge(policy, 'write', target)]).toMatchObject([
      { effect: 'deny', layer: 'secrets', origin: 'built-in' },
      { effect: 'deny', layer: 'secrets', origin: 'built-in' },
    ]);
  });

  it.each([
    '.env.example',
    'app/.env.sample',
    '.env.template',
    'docker/example.env',
    'environment.ts',
    'keys.ts',
    'id_rsa.pub',
    'config/aws/credentials',
  ])('leaves %s readable', (target) => {
    expect(judge(defaultPolicy, 'read', target)).toMatchObject({ effect: 'allow', layer: 'default' });
  });
});

describe('the layer protected', () => {
  const open = withLayers(permissivePolicy, [allowing('write', '*')]);

  it.each([
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'vendor/lib/.git/hooks/post-checkout',
    '.gitmodules',
    '.vscode/tasks.json',
    '.envrc',
    'package.json',
    'packages/a/package.json',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'AGENTS.md',
    'docs/CLAUDE.md',
    '.mcp.json',
    '.claude/settings.json',
    '.claude',
    '.io-studio/policy.jsonc',
    '.bashrc',
  ])('asks before %s is written, however much is allowed', (target) => {
    expect(judge(open, 'write', target)).toMatchObject({ effect: 'ask', layer: 'protected', origin: 'built-in' });
  });

  it.each([
    'src/a.ts',
    'README.md',
    '.gitignore',
    '.git/COMMIT_EDITMSG',
    'src/package.ts',
    'tsconfig.json',
    '.editorconfig',
  ])('leaves %s to the other rules', (target) => {
    expect(judge(open, 'write', target)).toMatchObject({ effect: 'allow' });
  });

  it('does not keep anything from being read', () => {
    expect(judge(defaultPolicy, 'read', '.git/config')).toMatchObject({ effect: 'allow' });
  });

  it('is answered by a rule for just that path', () => {
    const policy = withLayers(permissivePolicy, [allowing('write', 'package.json')]);
    expect([judge(policy, 'write', 'package.json').effect, judge(policy, 'write', 'a/package.json').effect]).toEqual([
      'allow',
      'ask',
    ]);
  });

  it('does not turn a default that denies into a question', () => {
    const policy: Policy = { ...defaultPolicy, defaults: { ...defaultPolicy.defaults, write: 'deny' } };
    expect(judge(policy, 'write', '.git/config')).toMatchObject({ effect: 'deny', layer: 'default' });
  });

  it('has a reason for every path, and no path twice', () => {
    const paths = protectedPaths.flatMap((each) => each.paths);
    expect(new Set(paths).size).toBe(paths.length);
    expect(protectedPaths.every(({ reason }) => reason.length > 0)).toBe(true);
  });
});

describe('the layer provenance', () => {
  const policy = withLayers(permissivePolicy, [allowing('write', 'package.json'), allowing('net', 'api.example')]);
  const dial = (isTainted: boolean) =>
    evaluatePolicy(policy, { kind: 'net', target: 'api.example:443', address: null }, { ...usual, isTainted });

  it('asks a tainted agent before anything leaves, and no rule answers that', () => {
    expect([dial(false), dial(true)]).toMatchObject([{ effect: 'allow' }, { effect: 'ask', layer: 'provenance' }]);
  });

  it('asks a tainted agent before a protected file is written, even one that is allowed exactly', () => {
    expect([judge(policy, 'write', 'package.json'), judge(policy, 'write', 'package.json', true)]).toMatchObject([
      { effect: 'allow' },
      { effect: 'ask', layer: 'provenance' },
    ]);
  });

  it('leaves a tainted agent its ordinary work', () => {
    expect(judge(policy, 'write', 'src/a.ts', true)).toMatchObject({ effect: 'allow' });
  });

  it('does not turn a network that is denied by default into a question', () => {
    const act = { kind: 'net', target: 'api.example:443', address: null } as const;
    expect(evaluatePolicy(defaultPolicy, act, { ...usual, isTainted: true })).toMatchObject({ effect: 'deny' });
  });
});
