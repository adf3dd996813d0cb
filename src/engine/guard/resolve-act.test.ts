import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { type Effect, strictness } from '../../shared/act.ts';
import { builtInLayers } from '../policy/built-in-layers.ts';
import type { Policy, PolicyDefaults, Rule } from '../policy/policy.ts';

const allAllowed: PolicyDefaults = { read: 'allow', write: 'allow', exec: 'allow', net: 'allow' };
const policyOf = (rules: Rule[], defaults: Partial<PolicyDefaults> = {}): Policy => ({
  layers: [...builtInLayers, { name: 'own', origin: 'user', remedy: 'change it', rules }],
  defaults: { ...allAllowed, ...defaults },
});
const deny = (act: Rule['act'], pattern: string): Rule => ({ act, effect: 'deny', pattern });
const allow = (act: Rule['act'], pattern: string): Rule => ({ act, effect: 'allow', pattern });

/** The strictest verdict of all parts, which is the line's. */
async function judgeLine(workspace: GuardedWorkspace, line: string): Promise<Effect> {
  const judged = await workspace.judge({ kind: 'exec', line });
  const effects = judged.map(({ verdict }) => verdict.effect);
  return effects.reduce((left, right) => (strictness[right] > strictness[left] ? right : left));
}

describe('a command line', () => {
  it('comes to every command, operand and address in it, in order and each once', async () => {
    await using workspace = await openGuardedWorkspace();
    const judged = await workspace.judge({ kind: 'exec', line: 'cd src && cat a.ts a.ts; curl https://Example.org/x' });
    expect(judged.map(({ act, verdict }) => [act.kind, act.target, verdict.effect])).toEqual([
      ['exec', 'cd src', 'ask'],
      ['read', 'src', 'allow'],
      ['exec', 'cat a.ts a.ts', 'ask'],
      ['read', 'src/a.ts', 'allow'],
      ['exec', 'curl https://Example.org/x', 'ask'],
      ['net', 'example.org:443', 'deny'],
    ]);
  });

  it.each(['ok && rm -rf x', 'find . | xargs rm', 'find . -exec rm {} \\;', 'true; rm x &', 'if true; then rm x; fi'])(
    'is denied where a segment or a payload is: %s (anthropics/claude-code#41559)',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([deny('exec', 'rm'), deny('exec', 'rm *')]));
      expect(await judgeLine(workspace, line)).toBe('deny');
    },
  );

  it('asks for what stands behind an allowed segment (anthropics/claude-code#28784, anthropics/claude-code#94314)', async () => {
    const rules = [allow('exec', 'cd *'), allow('exec', 'git log *')];
    await using workspace = await openGuardedWorkspace(policyOf(rules, { exec: 'ask', write: 'ask' }));
    const lines = ['cd d && python x.py', 'git log -1; touch PWNED', 'git log -1'];
    expect(await Promise.all(lines.map((line) => judgeLine(workspace, line)))).toEqual(['ask', 'ask', 'allow']);
  });

  it.each(['{ cat foo.txt; }', 'cat <(ls) foo.txt', 'echo x >> foo.txt', 'cat < foo.txt', 'tee foo.txt'])(
    'is denied for a file that is, 20 of 20 times: %s (anthropics/claude-code#70369)',
    async (line) => {
      const rules = [deny('read', 'foo.txt'), deny('write', 'foo.txt')];
      await using workspace = await openGuardedWorkspace(policyOf(rules));
      const effects = await Promise.all(Array.from({ length: 20 }, () => judgeLine(workspace, line)));
      expect([...new Set(effects)]).toEqual(['deny']);
    },
  );

  it.each(['$(rm x)', '`rm x`', '(rm x)', 'eval "rm x"', "bash -c 'rm x'", 'echo "$(rm x)"'])(
    'is denied for what is nested in it: %s (anthropics/claude-code#39601)',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([deny('exec', 'rm')]));
      expect(await judgeLine(workspace, line)).toBe('deny');
    },
  );

  it.each(['powershell -Command "Set-Content x y"', 'pwsh -c ls', 'cmd /c del x', '$PROGRAM x', 'eval "$X"'])(
    'asks where nobody can see through it, whatever is allowed: %s (anomalyco/opencode#46398)',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([allow('exec', '*')]));
      expect(await judgeLine(workspace, line)).toBe('ask');
    },
  );

  it('never takes a wrapper of the workspace for the program it is named after (anthropics/claude-code#92542)', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([allow('exec', 'git')], { exec: 'ask' }));
    workspace.write('git', '#!/bin/sh\nexec "$@"\n');
    chmodSync(join(workspace.path, 'git'), 0o755);
    const lines = ['git status', './git status', `${workspace.path}/git status`, 'wrapper git add -A'];
    expect(await Promise.all(lines.map((line) => judgeLine(workspace, line)))).toEqual(['allow', 'ask', 'ask', 'ask']);
  });

  it.each(['echo x > OUT/f', 'ls 2> OUT/f', 'echo x >> OUT/f', 'tee OUT/f', 'cp a OUT', 'echo x &> OUT/f'])(
    'may not write outside, as a tool may not: %s (anomalyco/opencode#42979)',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([allow('exec', '*'), allow('write', '*')]));
      expect(await judgeLine(workspace, line.replace('OUT', workspace.outside))).toBe('deny');
    },
  );

  it('needs the path to pass as well as the command (anomalyco/opencode#17497)', async () => {
    await using closed = await openGuardedWorkspace(policyOf([allow('exec', 'ls *')]));
    expect(await judgeLine(closed, `ls ${closed.outside}`)).toBe('deny');
    const asked: Rule = { act: 'read', effect: 'ask', pattern: '/*' };
    await using open = await openGuardedWorkspace(policyOf([allow('exec', 'ls *'), allow('read', '/*'), asked]));
    expect(await judgeLine(open, `ls ${open.outside}`)).toBe('ask');
  });

  it.each(['cat FILE', 'head -1 FILE', 'ls FILE', 'rg x FILE', 'wc -l FILE', 'cat < FILE', 'cd OUT && cat f'])(
    'reads one file outside with no program: %s (anomalyco/opencode#44728)',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([]));
      const { outside } = workspace;
      writeFileSync(join(outside, 'f'), 'secret');
      expect(await judgeLine(workspace, line.replace('FILE', join(outside, 'f')).replace('OUT', outside))).toBe('deny');
    },
  );

  it('does not ask where every part of a pipeline is allowed (microsoft/vscode#252496)', async () => {
    const rules = ['cd', 'cat', 'sort', 'tee'].map((program) => allow('exec', program));
    await using workspace = await openGuardedWorkspace(policyOf(rules, { exec: 'ask' }));
    mkdirSync(join(workspace.path, 'd'));
    expect(await judgeLine(workspace, 'cd d && cat a | sort | tee b')).toBe('allow');
  });

  it('is denied through a link that leaves (anomalyco/opencode#43336)', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    symlinkSync(workspace.outside, join(workspace.path, 'outbox'));
    const lines = ['cat outbox/f', 'echo x > outbox/f', 'cd outbox && cat f', 'mkdir -p outbox/new/dir'];
    expect(await Promise.all(lines.map((line) => judgeLine(workspace, line)))).toEqual(lines.map(() => 'deny'));
  });

  it('is denied for a secret by any spelling of its path', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    workspace.write('.env', 'KEY=1');
    symlinkSync('.env', join(workspace.path, 'notes'));
    const lines = ['cat .env', "cat '.e'nv", 'cat ./x/../.env', `cat ${workspace.path}/.env`, 'cat notes', 'cp .env a'];
    expect(await Promise.all(lines.map((line) => judgeLine(workspace, line)))).toEqual(lines.map(() => 'deny'));
  });

  it.each([
    'grep -r KEY .',
    'rg KEY',
    'cp -r app /dev/shm',
    'tar c app',
    'find app -type f -exec cat {} +',
    'grep -r KEY APP',
  ])(
    'is denied where it goes through a directory that holds a secret, whose name it does not tell: %s',
    async (line) => {
      await using workspace = await openGuardedWorkspace(policyOf([allow('exec', '*'), allow('write', '/*')]));
      workspace.write('app/deep/down/id_rsa', 'KEY');
      const judged = await workspace.judge({ kind: 'exec', line: line.replace('APP', join(workspace.path, 'app')) });
      const denials = judged.map(({ verdict }) => verdict).filter(({ effect }) => effect === 'deny');
      expect(denials.map(({ because }) => because.replace(/^.* is denied: /, ''))).toEqual([
        expect.stringContaining('something below it is denied to read'),
      ]);
    },
  );

  it('asks where it goes through a directory that holds what asks by another rule', async () => {
    const asked: Rule = { act: 'write', effect: 'ask', pattern: 'keep' };
    await using workspace = await openGuardedWorkspace(policyOf([asked]));
    workspace.write('dir/deep/keep', '');
    workspace.write('dir/other', '');
    const judged = await workspace.judge({ kind: 'exec', line: 'rm -rf dir' });
    expect(judged.map(({ act, verdict }) => [act.kind, act.target, verdict.effect])).toEqual([
      ['exec', 'rm -rf dir', 'allow'],
      ['write', 'dir', 'allow'],
      ['write', 'dir/deep/keep', 'ask'],
    ]);
  });

  it.each([
    'cat .e*',
    'cat < .en[v]',
    'cat app/*',
    'cat */id_*',
    'cat "app"/[i]d_rsa',
    'rm -rf a*',
    'cat l?nk',
    'wc -l {x,.}*',
  ])('is denied where a pattern stands for the name of a secret: %s', async (line) => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    workspace.write('.env', 'KEY');
    workspace.write('app/id_rsa', 'KEY');
    symlinkSync('.env', join(workspace.path, 'link'));
    const judged = await workspace.judge({ kind: 'exec', line });
    const denials = judged.map(({ verdict }) => verdict).filter(({ effect }) => effect === 'deny');
    expect(denials.map(({ because }) => because)).toEqual([expect.stringContaining('a pattern matches something')]);
    expect(JSON.stringify(judged)).not.toContain('id_rsa"');
  });

  it('asks where a pattern stands for what asks, and for nothing else', async () => {
    const asked: Rule = { act: 'write', effect: 'ask', pattern: 'keep.*' };
    await using workspace = await openGuardedWorkspace(policyOf([asked]));
    for (const name of ['keep.log', 'a.log', 'keep.txt', '.env']) workspace.write(name, '');
    const judged = await workspace.judge({ kind: 'exec', line: 'rm *.log' });
    expect(judged.map(({ act, verdict }) => [act.kind, act.target, verdict.effect])).toEqual([
      ['exec', 'rm *.log', 'ask'],
      ['write', '.', 'allow'],
      ['write', 'keep.log', 'ask'],
    ]);
  });

  it('copies onto a file as well as into a directory', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    workspace.write('a', '');
    workspace.write('b', '');
    expect(await Promise.all(['cp a b', 'mv a b'].map((line) => judgeLine(workspace, line)))).toEqual([
      'allow',
      'allow',
    ]);
  });

  it('may look at a directory that holds a secret without going through it', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    workspace.write('app/.env', 'KEY');
    workspace.write('app/a.ts', '');
    const lines = ['ls app', 'cat app/a.ts', 'cd app'];
    expect(await Promise.all(lines.map((line) => judgeLine(workspace, line)))).toEqual(lines.map(() => 'allow'));
  });

  it('is refused as a whole where it comes to more acts than anybody looks through', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    const line = Array.from({ length: 1100 }, (_, at) => `p${at}`).join(';');
    expect(await workspace.judge({ kind: 'exec', line })).toMatchObject([
      { act: { kind: 'exec', target: line }, verdict: { effect: 'deny', layer: 'guard', origin: 'built-in' } },
    ]);
  });
});

describe('a program and its arguments', () => {
  it('is read without a shell: what a shell would take for more is a plain word', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([]));
    const judged = await workspace.judge({ kind: 'exec', argv: ['cat', '$(rm x)', 'a > b'] });
    expect(judged.map(({ act }) => [act.kind, act.target])).toEqual([
      ['exec', "cat '$(rm x)' 'a > b'"],
      ['read', '$(rm x)'],
      ['read', 'a > b'],
    ]);
  });
});

describe('an address', () => {
  it('is judged in its normal form, and denied where it has none', async () => {
    await using workspace = await openGuardedWorkspace(policyOf([deny('net', '127.0.0.1')]));
    const judge = async (target: string) => (await workspace.judge({ kind: 'net', target }))[0].verdict.effect;
    expect([await judge('0x7f.1:80'), await judge('[::ffff:127.0.0.1]:80'), await judge('nowhere')]).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
    expect(await judge('example.org:443')).toBe('allow');
  });
});
