import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importText, judge, write } from '../../../test/support/imported-settings.ts';
import { judgeLikeOpencode } from '../../../test/support/reference-settings.ts';
import { anyAct, commandPattern, wildcardPath } from '../../../test/support/settings-arbitraries.ts';
import { type Effect, strictness } from '../../shared/act.ts';

describe('an import of opencode settings', () => {
  it('turns the order round: the last rule that matches decides there, the strictest here', () => {
    const imported = importText({
      permission: {
        edit: { 'old/*': 'allow', '*': 'deny', 'src/*': 'allow', 'src/gen/*': 'deny', 'src/gen/keep.ts': 'allow' },
        bash: { '*': 'ask', 'git *': 'allow', 'git push *': 'deny' },
        webfetch: { 'https://a.example/*': 'allow' },
        external_directory: 'allow',
      },
    });
    expect(imported.policy).toEqual({
      layers: [
        {
          name: 'opencode',
          rules: [
            { act: 'write', effect: 'allow', pattern: 'src/*' },
            { act: 'write', effect: 'deny', pattern: 'src/gen/*', except: ['src/gen/keep.ts'] },
            { act: 'write', effect: 'allow', pattern: 'src/gen/keep.ts' },
            { act: 'exec', effect: 'allow', pattern: 'git *' },
            { act: 'exec', effect: 'deny', pattern: 'git push *' },
            { act: 'exec', effect: 'deny', pattern: 'git push' },
            { act: 'net', effect: 'allow', pattern: 'a.example:443' },
          ],
        },
      ],
      defaults: { write: 'deny', exec: 'ask' },
    });
    expect(imported.notes).toEqual([
      { setting: 'permission', reason: 'what it does not name stays as it is here for read' },
      { setting: 'permission', reason: 'what it does not name stays as it is here for net' },
      {
        setting: 'permission.external_directory *',
        reason: 'left out: outside the workspace nothing is opened by an import',
      },
    ]);
  });

  it('allows nothing by a pattern that no path matches there', () => {
    const { policy } = importText({ permission: { edit: { '*': 'ask', './a': 'allow' } } });
    expect(policy).toEqual({ layers: [{ name: 'opencode', rules: [] }], defaults: { write: 'ask' } });
  });

  it('denies whatever any reading of a pattern denies', () => {
    const { policy } = importText({ permission: { edit: { '*': 'ask', 'a *': 'deny' } } });
    expect(['a', 'a b'].map((path) => judge(policy, write(path)))).toEqual([strictness.deny, strictness.deny]);
  });

  it('denies what a tool that is switched off would have done', () => {
    const { policy } = importText({ permission: 'allow', tools: { bash: false, write: false, read: true } });
    expect(policy.defaults).toEqual({ read: 'allow', write: 'deny', exec: 'deny', net: 'allow' });
  });

  it('allows nothing that the original asks about or denies', () => {
    const effect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
    const byPattern = (pattern: fc.Arbitrary<string>) =>
      fc.oneof(effect, fc.dictionary(pattern, effect, { maxKeys: 5 }));
    const permission = fc.record(
      {
        '*': effect,
        edit: byPattern(wildcardPath),
        read: byPattern(wildcardPath),
        bash: byPattern(commandPattern),
        'ba*': effect,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(permission, anyAct, (permissions, act) => {
        expect(judge(importText({ permission: permissions }).policy, act)).toBeGreaterThanOrEqual(
          strictness[judgeLikeOpencode(permissions, act)],
        );
      }),
      { numRuns: 500 },
    );
  });
});
