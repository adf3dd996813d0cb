import { describe, expect, it } from 'vitest';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';

const judge = (kind: 'read' | 'write', target: string) =>
  evaluatePolicy(defaultPolicy, { kind, target, real: target, letterCase: 'exact' });

describe('the layer secrets', () => {
  it.each([
    '.env',
    'app/.env',
    '.env.local',
    'deep/down/.env.production',
    'server.pem',
    'certs/tls.key',
    'id_rsa',
    'backup/id_ed25519',
    'id_ecdsa',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.pgpass',
    '.aws/credentials',
    'home/.aws/credentials',
    '.ssh/config',
    'home/.docker/config.json',
  ])('denies reading and writing %s', (target) => {
    const verdicts = [judge('read', target), judge('write', target)];
    expect(verdicts).toMatchObject([
      { effect: 'deny', layer: 'secrets' },
      { effect: 'deny', layer: 'secrets' },
    ]);
  });

  it.each([
    '.env.example',
    'app/.env.sample',
    '.env.template',
    'environment.ts',
    'keys.ts',
    'id_rsa.pub',
    'config/aws/credentials',
  ])('leaves %s readable', (target) => {
    expect(judge('read', target)).toMatchObject({ effect: 'allow', layer: 'default' });
  });
});
