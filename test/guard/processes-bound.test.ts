// Processes that write to the workspace itself: what they may not reach is shut to them, and what they leave is judged.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../src/engine/policy/default-policy.ts';
import type { Policy, Rule } from '../../src/engine/policy/policy.ts';
import { findSandbox } from '../sandbox/hostile/find-sandbox.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../support/guarded-workspace.ts';

const sandbox = await findSandbox('bwrap');

const withRules = (...rules: Rule[]): Policy => ({
  layers: [...defaultPolicy.layers, { name: 'test', origin: 'user', rules, remedy: '' }],
  defaults: { ...defaultPolicy.defaults, exec: 'allow' },
});

const write = (effect: Rule['effect'], pattern: string): Rule => ({ act: 'write', effect, pattern });

async function open(policy: Policy, files: Readonly<Record<string, string>> = {}): Promise<GuardedWorkspace> {
  if (typeof sandbox === 'string') throw new Error(sandbox);
  const workspace = await openGuardedWorkspace(policy, { sandbox });
  for (const [path, content] of Object.entries(files)) workspace.write(path, content);
  return workspace;
}

interface Started {
  readonly process: string;
  /** What the model is told. */
  readonly text: string;
}

/** The line itself names nothing that it will touch: a program of the workspace does. */
async function start(workspace: GuardedWorkspace, script: string): Promise<Started> {
  workspace.write('work', `#!/bin/bash\nexec 2>&1\n${script}\n`);
  chmodSync(join(workspace.path, 'work'), 0o755);
  const { text } = await workspace.call('process_start', { argv: ['./work'] });
  const process = /^p\d+-[0-9a-f]+/.exec(text)?.[0];
  if (process === undefined) throw new Error(text);
  return { process, text };
}

/** Waits for its end, and gives what the model is told then. */
async function finish(workspace: GuardedWorkspace, process: string): Promise<string> {
  const running = workspace.processes.find(process);
  while (running?.end === null) await running.changed();
  return (await workspace.call('process_read', { process, cursor: 0 })).text;
}

async function outputs(workspace: GuardedWorkspace, process: string, text: string): Promise<void> {
  const running = workspace.processes.find(process);
  const read = () => Buffer.from(running?.log.read(0, 100_000).bytes ?? []).toString();
  while (running?.end === null && !read().includes(text)) await running.changed();
}

const isThere = ({ path }: GuardedWorkspace, file: string): boolean => existsSync(join(path, file));

describe.skipIf(typeof sandbox === 'string')('a process that may write', () => {
  it('writes to the workspace itself, and what it changed is told when it has ended', async () => {
    await using workspace = await open(withRules(write('allow', '*')), { 'src/a.txt': 'a\n', 'old.txt': 'old\n' });
    const { process, text } = await start(
      workspace,
      'echo b >> src/a.txt; echo new > made.txt; rm old.txt; mkdir d; echo done; read -r',
    );
    expect(text).toContain('[it writes to the workspace itself; 0 paths in it are shut to it, and 4 are compared');
    await outputs(workspace, process, 'done');
    expect([workspace.read('src/a.txt').toString(), workspace.read('made.txt').toString()]).toEqual([
      'a\nb\n',
      'new\n',
    ]);
    const { text: told } = await workspace.call('process_end', { process });
    expect(told).toMatch(/- created d\n- created made\.txt\n- removed old\.txt\n- changed src\/a\.txt$/);
  });

  it('cannot open what may not be read, nor change what may not be written, however it goes about it', async () => {
    const files = {
      '.env': 'KEY=never-shown\n',
      'package.json': '{}\n',
      'deep/er/.env': 'KEY=never-shown\n',
      'node_modules/x/index.js': 'old\n',
      '.git/config': 'old\n',
      'a.txt': 'a\n',
    };
    await using workspace = await open(withRules(write('allow', '*')), files);
    const script = [
      'cat .env deep/er/.env; mv deep gone; mv deep/er deep/gone; rm -rf deep; rm -f .env; mv a.txt .env; ln .env x; cat x',
      'echo x > package.json; mv a.txt package.json; rm -f package.json; sed -i s/{}/x/ package.json; ln package.json y',
      'echo x > node_modules/x/index.js; mv node_modules n; echo x > node_modules/y; echo x > .git/config; mv .git g',
      'cat /proc/self/root$PWD/.env /proc/1/root$PWD/.env; mkdir -p b/.git; echo x > b/.git/config',
    ].join('\n');
    const { process } = await start(workspace, script);
    const told = await finish(workspace, process);
    expect(told).not.toContain('never-shown');
    for (const [path, content] of Object.entries(files)) {
      if (path !== 'a.txt') expect([path, workspace.read(path).toString()]).toEqual([path, content]);
    }
    expect(told).toContain('- created b/.git/config, and put aside: ');
    expect([isThere(workspace, 'b/.git'), isThere(workspace, 'node_modules/y'), isThere(workspace, 'n')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('has what it made and may not make put aside, where a person finds it', async () => {
    await using workspace = await open(withRules(write('allow', '*'), write('deny', 'shut/*')));
    const { process } = await start(
      workspace,
      'mkdir -p shut/in .vscode; echo x > shut/in/a; chmod 0 shut/in; echo y > .vscode/tasks.json; ln -s a .env; mkfifo k.pem',
    );
    const told = await finish(workspace, process);
    expect(readdirSync(workspace.path, { recursive: true })).toEqual(['shut', 'work']);
    const shelf = join(workspace.home, 'set-aside', readdirSync(join(workspace.home, 'set-aside'))[0] ?? '');
    expect(told).toContain(`[what was put aside lies in ${shelf}`);
    expect([
      readFileSync(join(shelf, 'shut/in/a'), 'utf8'),
      readFileSync(join(shelf, '.vscode/tasks.json'), 'utf8'),
      readlinkSync(join(shelf, '.env')),
    ]).toEqual(['x\n', 'y\n', 'a']);
  });

  it('writes where a rule opens a part of the workspace, and nowhere else', async () => {
    const files = { 'src/a.txt': 'a\n', 'src/b.md': 'b\n', 'top.txt': 'top\n', 'other/c.txt': 'c\n' };
    const rules = [write('allow', 'src/*'), write('allow', 'other/c.txt'), write('deny', 'src/*.md')];
    await using workspace = await open(withRules(...rules), files);
    const script =
      'for f in src/a.txt src/b.md top.txt other/c.txt other/d src/new new; do echo x > $f; done; mv src gone';
    const { process, text } = await start(workspace, script);
    expect(text).toContain('3 paths in it are shut to it');
    const told = await finish(workspace, process);
    expect(Object.keys(files).map((path) => workspace.read(path).toString())).toEqual(['x\n', 'b\n', 'top\n', 'x\n']);
    expect([isThere(workspace, 'other/d'), isThere(workspace, 'new'), isThere(workspace, 'gone')]).not.toContain(true);
    expect(told).toMatch(/others:\n- changed other\/c\.txt\n- changed src\/a\.txt\n- created src\/new$/);
  });

  it('is given the workspace read-only where no rule opens it, or too much would have to be covered, and is told so', async () => {
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`p${index}/package.json`, '{}\n']));
    for (const [rules, because] of [
      [[], 'no rule allows writing to it without asking'],
      [[write('allow', 'nowhere/*')], 'nothing in it may be written without asking'],
      [
        [write('allow', '*')],
        '41 paths in it would have to be covered up while it is written to, and no more than 40 can be',
      ],
    ] as const) {
      await using workspace = await open(withRules(...rules), many);
      const { process, text } = await start(workspace, 'echo x > made');
      expect(text).toContain(`[it cannot write to the workspace: ${because}]`);
      expect(await finish(workspace, process)).toContain('Read-only file system');
    }
  });

  it('may replace a link that it should not, which leads where it led when it has ended', async () => {
    await using workspace = await open(withRules(write('allow', '*')), { 'docs/agents.md': 'be good\n' });
    symlinkSync('docs/agents.md', join(workspace.path, 'AGENTS.md'));
    const { process, text } = await start(workspace, 'rm AGENTS.md; echo be evil > AGENTS.md');
    expect(text).toContain('Not kept from it:\n- AGENTS.md');
    const told = await finish(workspace, process);
    expect(told).toContain(
      '- changed AGENTS.md, and made again what it was: write of "AGENTS.md" must be asked for by',
    );
    expect(readlinkSync(join(workspace.path, 'AGENTS.md'))).toBe('docs/agents.md');
  });

  it('keeps the engine from replacing what is shut to it, and is not taken for what the engine writes', async () => {
    await using workspace = await open(withRules(write('allow', '*')), { 'package.json': '{}\n', 'b.txt': 'b\n' });
    const { process } = await start(workspace, 'read -r; echo mine > b.txt');
    const hashOf = (content: string) => workspace.files.hashOf(Buffer.from(content));
    const replaced = () => workspace.replace('package.json', hashOf('{}\n'), Buffer.from('{"a":1}\n'));
    expect(await replaced()).toEqual({
      kind: 'unpermitted',
      because: `the running process ${process} may not reach "package.json", and could if it were replaced now; end ${process} with process_end first`,
    });
    const change = { path: 'package.json', before: null, after: null };
    expect(await workspace.guard.change(change, { permitted: 'ask' }, workspace.stance)).toMatchObject({
      kind: 'unpermitted',
    });
    await workspace.replace('d/e/new.txt', null, Buffer.from('x'));
    await workspace.replace('b.txt', hashOf('b\n'), Buffer.from('engine\n'));
    await workspace.call('process_write', { process, text: '\n' });
    expect(await finish(workspace, process)).toMatch(/others:\n- changed b\.txt$/);
    expect(await replaced()).toEqual({ kind: 'replaced' });
  });

  it('is ended at once when somebody replaces what it must not read, and told of what it must not write', async () => {
    const files = { 'in/.env': 'KEY=old\n', 'package.json': '{}\n' };
    await using workspace = await open(withRules(write('allow', '*')), files);
    const { process } = await start(workspace, 'while :; do read -r line < in/.env && echo "$line"; sleep 0.01; done');
    const give = (path: string, content: string) => {
      writeFileSync(join(workspace.outside, 'new'), content);
      renameSync(join(workspace.outside, 'new'), join(workspace.path, path));
    };
    give('package.json', '{"by":"a person"}\n');
    expect(workspace.processes.find(process)?.end).toBeNull();
    give('in/.env', 'KEY=new\n');
    const told = await finish(workspace, process);
    expect(told).toContain('has ended. Cancelled before it ended.');
    expect(told).toContain(
      [
        'Not kept from it:',
        '- in/.env was replaced by somebody else, which took its cover away: the process was ended at once',
        '- package.json was replaced by somebody else, which took its cover away',
      ].join('\n'),
    );
    expect([workspace.read('in/.env').toString(), workspace.read('package.json').toString()]).toEqual([
      'KEY=new\n',
      '{"by":"a person"}\n',
    ]);
  });
});
