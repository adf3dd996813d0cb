import { describe, expect, it } from 'vitest';
import type { JudgedAct, ResolvedAct } from '../../shared/act.ts';
import { composePolicy } from '../policy/compose-policy.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { assertRememberable, type Rememberable } from './assert-rememberable.ts';

const policy = composePolicy([
  {
    origin: 'app',
    file: 'app.jsonc',
    policy: { layers: [{ name: 'review', rules: [{ act: 'write', effect: 'ask', pattern: 'docs/*' }] }] },
  },
]);
const judge = (act: ResolvedAct): JudgedAct => ({
  act,
  verdict: evaluatePolicy(policy, act, { isTainted: false, isolation: 'none' }),
});
const write = (target: string): JudgedAct =>
  judge({ kind: 'write', target, real: target, letterCase: 'exact', outside: false });
const build = judge({
  kind: 'exec',
  target: 'npm run build',
  program: { written: 'npm', real: '/usr/bin/npm', isSystem: true },
  opaque: null,
});
const opaque = judge({ kind: 'exec', target: 'eval $x', program: null, opaque: 'its words are not known' });

const allow = (act: Rememberable['rule']['act'], pattern: string): Rememberable['rule'] => ({
  act,
  effect: 'allow',
  pattern,
});
const deny = (act: Rememberable['rule']['act'], pattern: string): Rememberable['rule'] => ({
  act,
  effect: 'deny',
  pattern,
});

describe('a rule that a person may have remembered', () => {
  const fine: [rule: Rememberable['rule'], acts: JudgedAct[]][] = [
    [allow('write', 'src/a.ts'), [write('src/a.ts')]],
    [allow('write', 'src/*'), [write('src/a.ts')]],
    [allow('write', '*.ts'), [write('src/a.ts')]],
    [allow('write', 'notes.txt'), [write('notes.txt')]],
    [allow('write', '.github/ci.yml'), [write('.github/ci.yml')]],
    [allow('exec', 'npm run *'), [write('src/a.ts'), build]],
    [deny('exec', 'npm'), [build]],
    [deny('write', 'docs/*'), [write('docs/a/b.md')]],
  ];
  it.each(fine)('%j', (rule, acts) => {
    expect(() => assertRememberable({ rule, acts, isTainted: false })).not.toThrow();
  });

  it('is a deny also for what nobody can read, and for an agent that was shown too much', () => {
    expect(() =>
      assertRememberable({ rule: deny('exec', 'npm'), acts: [build, opaque], isTainted: true }),
    ).not.toThrow();
  });
});

describe('a rule that is refused', () => {
  const refused: [rule: Rememberable['rule'], acts: JudgedAct[], why: string][] = [
    [allow('write', '*'), [write('src/a.ts')], 'the pattern takes in everything'],
    [allow('write', '*/*'), [write('src/a.ts')], 'the pattern takes in everything'],
    [allow('write', '?*.*'), [write('src/a.ts')], 'the pattern takes in everything'],
    [allow('exec', '* run build'), [build], 'the pattern takes in everything'],
    [allow('net', '*:443'), [build], 'the pattern takes in everything'],
    [allow('write', 'src/**'), [write('src/a.ts')], 'the pattern holds `**`: one `*` already spans `/`'],
    [allow('write', ''), [write('src/a.ts')], 'the pattern is empty: write `*` for everything'],
    [allow('write', 'lib/*'), [write('src/a.ts')], 'it matches nothing that this request asks about'],
    [allow('read', 'src/a.ts'), [write('src/a.ts')], 'it matches nothing that this request asks about'],
    [allow('write', 'src/.env'), [write('src/.env')], 'it matches nothing that this request asks about'],
    [allow('exec', 'npm run build'), [build, opaque], 'nobody can say from the text what all of it would do'],
  ];
  it.each(refused)('%j', (rule, acts, why) => {
    expect(messageFor({ rule, acts, isTainted: false })).toBe(
      `The rule to allow ${rule.act} of ${JSON.stringify(rule.pattern)} is not remembered: ${why}.`,
    );
  });

  it('is one that the asking rule would outweigh', () => {
    expect(
      messageFor({ rule: allow('write', 'docs/a/b.md'), acts: [write('docs/a/b.md')], isTainted: false }),
    ).toContain('it does not answer the rule "docs/*" of the layer "review", which asks; ');
  });

  it('is one that would answer for a protected file by anything but its exact path', () => {
    expect(
      messageFor({ rule: allow('write', '.github/*'), acts: [write('.github/ci.yml')], isTainted: false }),
    ).toContain('of the layer "protected", which asks; a rule that allows exactly ".github/ci.yml" would change that');
  });

  it('is any allow for an agent that holds untrusted and sensitive input', () => {
    expect(messageFor({ rule: allow('write', 'src/a.ts'), acts: [write('src/a.ts')], isTainted: true })).toBe(
      'The rule to allow write of "src/a.ts" is not remembered: the agent was shown both untrusted and sensitive input, so an answer to it counts once.',
    );
  });
});

function messageFor(given: Rememberable): string {
  try {
    assertRememberable(given);
    return '';
  } catch (error) {
    expect(error).toMatchObject({ code: 'remember-refused' });
    return error instanceof Error ? error.message : '';
  }
}
