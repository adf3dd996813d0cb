import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResolvedAct } from '../../shared/act.ts';
import type { RememberedRule } from '../../shared/approval.ts';
import { composePolicy, type PolicyScope } from '../policy/compose-policy.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import { rememberRule } from './remember-rule.ts';
import { toProjectPolicyFile, toUserPolicyFile } from './scope-file.ts';

let root = '';
let home = '';
let file = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'remember-rule-')));
  home = join(root, 'home');
  file = toUserPolicyFile(home);
});
afterEach(() => rmSync(root, { recursive: true }));

const nowMs = Date.UTC(2026, 10, 30, 12);
const npmTest: RememberedRule = { act: 'exec', effect: 'allow', pattern: 'npm test', isolation: 'none' };
const npmTestLine =
  '{ "act": "exec", "effect": "allow", "pattern": "npm test", "isolation": "none", "reason": "remembered on 2026-11-30" }';
const remember = (rule: RememberedRule = npmTest, into = file) => rememberRule({ home, file: into, rule, nowMs });
const read = (): string => readFileSync(file, 'utf8');
const lineOf = (number: number): string => read().split(/\r?\n/)[number - 1]?.trim().replace(/,$/, '') ?? '';

function write(text: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function judge(origin: PolicyScope['origin'], from: string, act: ResolvedAct): unknown {
  const scope: PolicyScope = { origin, file: from, policy: parsePolicyFile(readFileSync(from, 'utf8'), from) };
  const {
    effect,
    rule,
    layer,
    origin: by,
  } = evaluatePolicy(composePolicy([scope]), act, { isTainted: false, isolation: 'none' });
  return { effect, rule, layer, origin: by };
}

const npmTestAct: ResolvedAct = {
  kind: 'exec',
  target: 'npm test',
  program: { written: 'npm', real: '/usr/bin/npm', isSystem: true },
  opaque: null,
};

describe('a remembered rule', () => {
  it('stands in a new file that only its owner can read, and nothing beside it', async () => {
    const place = await remember();
    expect({
      place,
      line: lineOf(place.line),
      modes: [lstatSync(file).mode & 0o777, lstatSync(home).mode & 0o777],
      names: readdirSync(home),
    }).toEqual({
      place: { file, line: 7, isNew: true, overruledBy: null },
      line: npmTestLine,
      modes: [0o600, 0o700],
      names: ['policy.jsonc'],
    });
  });

  it('is on disk, decides after a restart, and says where it came from (anthropics/claude-code#69042)', async () => {
    await remember();
    expect(judge('user', file, npmTestAct)).toEqual({
      effect: 'allow',
      rule: 'npm test',
      layer: 'remembered',
      origin: 'user',
    });
  });

  it('can hold for one workspace or for everything (anthropics/claude-code#26535)', async () => {
    const workspace = join(root, 'workspace');
    mkdirSync(workspace);
    const projectFile = toProjectPolicyFile(home, workspace);
    const [forAll, forProject] = [await remember(), await remember(npmTest, projectFile)];
    expect([
      forAll.file,
      judge('user', file, npmTestAct),
      forProject.file,
      judge('project', projectFile, npmTestAct),
    ]).toEqual([
      file,
      { effect: 'allow', rule: 'npm test', layer: 'remembered', origin: 'user' },
      projectFile,
      { effect: 'allow', rule: 'npm test', layer: 'remembered', origin: 'project' },
    ]);
    expect({ workspace: readdirSync(workspace), mode: lstatSync(dirname(projectFile)).mode & 0o777 }).toEqual({
      workspace: [],
      mode: 0o700,
    });
  });

  it('is one line more, and every other byte stays (anthropics/claude-code#6911)', async () => {
    const rules = Array.from(
      { length: 20 },
      (_, index) => `\t\t\t{"act":"read",  "effect":"deny","pattern":"f${index}"}, // ${index} ✓`,
    );
    const head = `\ufeff/* mine */\r\n{\r\n\t"layers": [\r\n\t\t{"name": "remembered", "rules": [\r\n${rules.join('\r\n')}\r\n`;
    const tail = '\t\t\t// keep\r\n\t\t]}, /* more */\r\n\t],\r\n\t"defaults": {"net":"deny",},\r\n}';
    write(`${head}${tail}`, 0o640);
    const place = await remember();
    expect({ place, text: read(), mode: lstatSync(file).mode & 0o777, names: readdirSync(home) }).toEqual({
      place: { file, line: 25, isNew: true, overruledBy: null },
      text: `${head}\t\t\t${npmTestLine}\r\n${tail}`,
      mode: 0o640,
      names: ['policy.jsonc'],
    });
  });

  it('that stands there already is left as it is', async () => {
    const first = await remember();
    const before = { text: read(), inode: lstatSync(file).ino };
    const second = await remember();
    expect({ second, after: { text: read(), inode: lstatSync(file).ino } }).toEqual({
      second: { ...first, isNew: false },
      after: before,
    });
  });

  it('that stands there without a condition is not added with one, but the other way round', async () => {
    const { isolation: _isolation, ...always } = npmTest;
    expect([(await remember()).isNew, (await remember(always)).isNew, (await remember()).isNew]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('that a stricter rule of the file outweighs is written, and the caller is told', async () => {
    write('{"layers": [{"name": "mine", "rules": [{"act": "exec", "effect": "deny", "pattern": "npm"}]}]}');
    const { overruledBy } = await remember();
    expect({ overruledBy, verdict: judge('user', file, npmTestAct) }).toEqual({
      overruledBy: { layer: 'mine', rule: { act: 'exec', effect: 'deny', pattern: 'npm' } },
      verdict: { effect: 'deny', rule: 'npm', layer: 'mine', origin: 'user' },
    });
  });

  it('is not lost when several processes remember at once', async () => {
    const script = `import { rememberRule } from ${JSON.stringify(join(import.meta.dirname, 'remember-rule.ts'))};
      const [home, file, name] = process.argv.slice(1);
      for (let index = 0; index < 5; index++) {
        const rule = { act: 'write', effect: 'allow', pattern: name + '/' + index };
        await rememberRule({ home, file, rule, nowMs: 0 });
      }`;
    const run = promisify(execFile);
    const names = ['a', 'b'];
    await Promise.all(
      names.map((name) => run(process.execPath, ['--input-type=module', '-e', script, home, file, name])),
    );
    const patterns = parsePolicyFile(read(), file).layers?.flatMap(({ rules }) => rules.map(({ pattern }) => pattern));
    const expected = names.flatMap((name) => Array.from({ length: 5 }, (_, index) => `${name}/${index}`));
    expect({ patterns: patterns?.toSorted(), left: readdirSync(home) }).toEqual({
      patterns: expected,
      left: ['policy.jsonc'],
    });
  }, 60_000);

  it('survives a process that is killed while it writes: the file is the old or the new one', {
    timeout: 60_000,
  }, async () => {
    await remember();
    const script = `import { rememberRule } from ${JSON.stringify(join(import.meta.dirname, 'remember-rule.ts'))};
      const [home, file] = process.argv.slice(1);
      for (let index = 0; index < 10_000; index++)
        await rememberRule({ home, file, rule: { act: 'write', effect: 'allow', pattern: process.pid + '/' + index }, nowMs: 0 });`;
    for (let round = 0; round < 2; round++) await killWhileWriting(script);
    const place = await remember({ ...npmTest, pattern: 'npm run build' });
    expect({ isNew: place.isNew, locks: readdirSync(home).filter((name) => name.endsWith('.lock')) }).toEqual({
      isNew: true,
      locks: [],
    });
  });
});

describe('remembering is refused, and nothing changes,', () => {
  const unusable: [what: string, make: () => void, why: RegExp][] = [
    ['where the file is malformed', () => write('{"layers": ['), /line 1/],
    ['where the file has an unknown key', () => write('{"layer": []}'), /line 1: layer/],
    ['where the file is empty', () => write(''), /policy/],
    ['where the file is not text', () => write(new Uint8Array([0x7b, 0xff, 0x7d])), /not valid/],
    ['where the file may only be read', () => write('{}', 0o400), /may only be read/],
    ['where the file is too long', () => write(`{}${' '.repeat(1024 * 1024)}`), /more than 1048576/],
    ['where the file is a link', () => linkElsewhere(), /it is a link/],
    ['where the file is a directory', () => mkdirSync(file, { recursive: true }), /not a regular file/],
  ];
  it.each(unusable)('%s', async (_what, make, why) => {
    make();
    const before = snapshot(root);
    await expect(remember()).rejects.toMatchObject({ code: 'remember-refused', message: expect.stringMatching(why) });
    expect(snapshot(root)).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0)('where the file belongs to somebody else (needs root)', async () => {
    write('{}');
    chownSync(file, 65534, 65534);
    await expect(remember()).rejects.toMatchObject({ code: 'remember-refused' });
  });

  it.each([
    ['in a workspace', () => join(root, 'workspace', '.io-studio', 'policy.jsonc')],
    ['beside the home', () => join(root, 'home-2', 'policy.jsonc')],
    ['above the home', () => join(home, '..', 'policy.jsonc')],
    ['where the home itself stands', () => home],
  ])('for a file %s', async (_what, toFile) => {
    mkdirSync(home);
    await expect(remember(npmTest, toFile())).rejects.toMatchObject({ code: 'remember-refused' });
    expect(snapshot(root)).toEqual(['home/']);
  });

  it('for a file that lies elsewhere by way of a link', async () => {
    mkdirSync(join(root, 'workspace'));
    mkdirSync(home);
    symlinkSync(join(root, 'workspace'), join(home, 'projects'));
    for (const into of ['projects/policy.jsonc', 'projects/shop-1/policy.jsonc'])
      await expect(remember(npmTest, join(home, into))).rejects.toMatchObject({ code: 'remember-refused' });
    expect(readdirSync(join(root, 'workspace'))).toEqual([]);
  });

  it('for a rule that a policy file may not hold', async () => {
    write('{}');
    await expect(remember({ ...npmTest, pattern: 'src/**' })).rejects.toMatchObject({ code: 'remember-refused' });
    await expect(remember({ ...npmTest, isolation: 'moat' })).rejects.toMatchObject({ code: 'remember-refused' });
    expect(read()).toBe('{}');
  });
});

describe('whatever is remembered', () => {
  const pattern = fc.stringMatching(/^[ab*?]{1,3}(\/[ab*]{1,2})?$/).filter((each) => !each.includes('**'));
  const rules = fc.array(
    fc.record({
      act: fc.constant('write' as const),
      effect: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      pattern,
    }),
    { maxLength: 4 },
  );
  const target = fc.stringMatching(/^[ab]{1,3}(\/[ab]{1,2})?$/);

  it('crosses no deny and no ask of the file', async () => {
    await fc.assert(
      fc.asyncProperty(rules, pattern, target, async (given, added, path) => {
        write(JSON.stringify({ layers: [{ name: 'remembered', rules: given }] }));
        const act: ResolvedAct = { kind: 'write', target: path, real: path, letterCase: 'exact', outside: false };
        const before = evaluateFile(act);
        await remember({ act: 'write', effect: 'allow', pattern: added });
        const after = evaluateFile(act);
        if (before.rule !== null) expect(after.effect).toBe(before.effect);
        else expect(['ask', 'allow']).toContain(after.effect);
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

function evaluateFile(act: ResolvedAct) {
  const scope: PolicyScope = { origin: 'user', file, policy: parsePolicyFile(read(), file) };
  return evaluatePolicy(composePolicy([scope]), act, { isTainted: false, isolation: 'none' });
}

function linkElsewhere(): void {
  const elsewhere = join(root, 'elsewhere.jsonc');
  writeFileSync(elsewhere, '{}');
  mkdirSync(home);
  symlinkSync(elsewhere, file);
}

/** Everything under a directory, with what regular files hold. */
function snapshot(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(directory.length + 1);
      return entry.isDirectory() ? `${name}/` : entry.isFile() ? `${name} ${readFileSync(path, 'latin1')}` : name;
    })
    .toSorted();
}

async function killWhileWriting(script: string): Promise<void> {
  const before = read();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, home, file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    while (read() === before && child.exitCode === null) await setImmediate();
  } finally {
    child.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(parsePolicyFile(read(), file).layers?.[0]?.name).toBe('remembered');
}
