// A repository in which everything that can name a program names one, which cries out over the boundary: it writes to a file
// outside of the workspace and dials a port of this machine. Each has to cry when git runs outside, so that one which has
// lost its voice is noticed; and none may when a tool runs git.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../sandbox/hostile/find-sandbox.ts';
import { type GitRepository, openGitRepository } from '../support/git-repository.ts';

interface Programs {
  readonly cry: (kind: string) => string;
  /** Started as it is, without a shell that would take words apart. */
  readonly signer: string;
  /** A file of further settings. */
  readonly included: string;
}

/** What has to be done for each to cry, by git as it is. */
const provocations: Readonly<Record<string, readonly string[]>> = {
  alias: ['own-command'],
  fsmonitor: ['status'],
  ssh: ['ls-remote', 'ssh://host.example/x'],
  editor: ['commit', '--allow-empty'],
  pager: ['grep', '-O', 'two'],
  external: ['diff', 'a.txt'],
  textconv: ['diff', '--no-ext-diff', 'textconv.txt'],
  'diff-command': ['diff', 'command.txt'],
  clean: ['add', 'filtered.txt'],
  smudge: ['checkout', 'HEAD', '--', 'filtered.txt'],
  process: ['add', 'processed.txt'],
  included: ['add', 'included.txt'],
  signer: ['commit', '--allow-empty', '-S', '-m', 'x'],
  credential: ['credential', 'fill'],
  'pre-commit': ['commit', '--allow-empty', '-m', 'x'],
  'post-checkout': ['switch', '-c', 'x'],
  'reference-transaction': ['branch', 'y'],
  'post-index-change': ['add', 'a.txt'],
  submodule: ['status'],
};

const filtered = ['filtered', 'processed', 'included', 'textconv', 'command'];
const hooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-index-change'];

const toSettings = ({ cry, signer, included }: Programs): Readonly<Record<string, string>> => ({
  'alias.own-command': `!${cry('alias')}`,
  'alias.status': `!${cry('alias')}`,
  'core.fsmonitor': cry('fsmonitor'),
  'core.sshCommand': cry('ssh'),
  'core.editor': cry('editor'),
  'core.pager': cry('pager'),
  'diff.external': cry('external'),
  'diff.converted.textconv': cry('textconv'),
  'diff.commanded.command': cry('diff-command'),
  'filter.cried.clean': cry('clean'),
  'filter.cried.smudge': cry('smudge'),
  'filter.processed.process': cry('process'),
  'gpg.program': signer,
  'commit.gpgSign': 'true',
  'credential.helper': `!${cry('credential')}`,
  'include.path': included,
});

const attributes = [
  'filtered.txt filter=cried',
  'processed.txt filter=processed',
  'included.txt filter=included',
  'textconv.txt diff=converted',
  'command.txt diff=commanded',
];

const sandbox = await findSandbox('bwrap');

describe.skipIf(typeof sandbox === 'string')('a repository that names programs', () => {
  it('has none of them run outside of the sandbox by a tool of git, and in it only filters', async () => {
    await using canaries = await openCanaries();
    const { repository, cries } = canaries;
    for (const [kind, words] of Object.entries(provocations)) canaries.provoke(kind, words);
    expect(await cries()).toEqual({ outside: Object.keys(provocations).sort(), dialled: true });
    canaries.silence();

    const calls: readonly [string, object][] = [
      ['git_status', {}],
      ['git_diff', {}],
      ['git_diff', { staged: true, paths: ['a.txt'] }],
      ['git_log', {}],
      ['git_add', { paths: ['.'] }],
      ['git_commit', { message: 'Second' }],
      ['git_branch', { action: 'create', name: 'other' }],
      ['git_branch', { action: 'switch', name: 'other' }],
      ['git_branch', { action: 'list' }],
      ['git_worktree', { action: 'add', path: 'wt' }],
      ['git_worktree', { action: 'list' }],
    ];
    const ends: [string, string, string][] = [];
    for (const [tool, args] of calls) {
      const { status, text } = await repository.call(tool, args);
      ends.push([tool, status, status === 'ok' ? '' : text]);
    }
    expect(ends).toEqual(calls.map(([tool]) => [tool, 'ok', '']));
    expect(await cries()).toEqual({ outside: [], dialled: false });
    expect(canaries.criesInside()).toEqual(['clean', 'included', 'process', 'smudge']);
  });

  it('is not looked for outside of the workspace, wherever a .git points', async () => {
    await using canaries = await openCanaries();
    const { repository, cries } = canaries;
    const elsewhere = join(repository.outside, 'repository.git');
    cpSync(join(repository.path, '.git'), elsewhere, { recursive: true });
    rmSync(join(repository.path, '.git'), { recursive: true });
    repository.write('.git', `gitdir: ${elsewhere}\n`);
    repository.git('--git-dir', elsewhere, 'status');
    expect((await cries()).outside).toContain('fsmonitor');
    canaries.silence();
    for (const tool of ['git_status', 'git_diff', 'git_log']) {
      expect(await repository.call(tool, {})).toEqual({
        status: 'failed',
        text: expect.stringContaining('not a git repository'),
      });
    }
    expect(await repository.call('git_add', { paths: ['.'] })).toMatchObject({ status: 'failed' });
    expect(await cries()).toEqual({ outside: [], dialled: false });
  });
});

interface Canaries extends AsyncDisposable {
  readonly repository: GitRepository;
  /** Does in a copy, with git as it is, what makes this one cry. */
  provoke(kind: string, words: readonly string[]): void;
  cries(): Promise<{ readonly outside: readonly string[]; readonly dialled: boolean }>;
  criesInside(): readonly string[];
  silence(): void;
}

async function openCanaries(): Promise<Canaries> {
  if (typeof sandbox === 'string') throw new Error(sandbox);
  const files = Object.fromEntries(filtered.map((name) => [`${name}.txt`, 'one\n']));
  const repository = await openGitRepository({ sandbox, files });
  const { path, outside } = repository;
  const listener = await listen();
  const record = join(outside, 'cries');
  const script = join(path, 'canary');
  writeFileSync(script, toScript(record, listener.port), { mode: 0o755 });
  writeFileSync(join(path, 'signer'), `#!/bin/bash\n${script} signer\n`, { mode: 0o755 });
  plant(repository, (kind) => `${script} ${kind}`);
  const copies = join(outside, 'copies');
  return {
    repository,
    provoke(kind, words) {
      const copy = join(copies, kind);
      cpSync(path, copy, { recursive: true });
      const env = { PATH: process.env.PATH, HOME: outside, GIT_CONFIG_NOSYSTEM: '1' };
      const input = 'protocol=https\nhost=host.example\n\n';
      spawnSync('git', ['-c', 'safe.directory=*', ...words], { cwd: copy, env, input, timeout: 20_000 });
    },
    cries: async () => ({ outside: readKinds(record), dialled: (await listener.count()) > 0 }),
    criesInside: () => readKinds(join(path, 'cries-inside')),
    silence() {
      rmSync(record, { force: true });
      rmSync(join(path, 'cries-inside'), { force: true });
      listener.reset();
    },
    async [Symbol.asyncDispose]() {
      listener.server.close();
      await repository[Symbol.asyncDispose]();
    },
  };
}

/** A filter hands on what it gets; whatever else is started by git has no need of an answer. */
const toScript = (record: string, port: number): string => `#!/bin/bash
echo "$1" >> ${record}
echo "$1" >> "$(dirname "$0")/cries-inside"
(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null
case "$1" in
  clean|smudge|included) cat;;
  # The answer of a filter that can do nothing.
  process) printf '0016git-filter-server\n000eversion=2\n00000000'; cat >/dev/null;;
  textconv) cat "$2";;
esac
`;

function plant({ path, git, write }: GitRepository, cry: (kind: string) => string): void {
  addSubmodule({ path, git }, cry);
  for (const hook of [...hooks, 'reference-transaction']) {
    const file = `.git/hooks/${hook}`;
    write(file, `#!/bin/bash\n${cry(hook)}\n`);
    chmodSync(join(path, file), 0o755);
  }
  write('included.cfg', `[filter "included"]\n\tclean = ${cry('included')}\n`);
  write('.gitattributes', `${attributes.join('\n')}\n`);
  for (const name of ['a', ...filtered]) write(`${name}.txt`, 'two\n');
  const settings = Object.entries(
    toSettings({ cry, signer: join(path, 'signer'), included: join(path, 'included.cfg') }),
  );
  for (const [name, value] of settings) git('config', name, value);
}

function addSubmodule({ path, git }: Pick<GitRepository, 'path' | 'git'>, cry: (kind: string) => string): void {
  const submodule = join(path, 'sub');
  mkdirSync(submodule);
  git('-C', submodule, 'init', '--quiet');
  writeFileSync(join(submodule, 'f.txt'), 'one\n');
  git('-C', submodule, 'add', '.');
  git('-C', submodule, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
  git('-C', submodule, 'config', 'core.fsmonitor', cry('submodule'));
  git('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub');
  git('commit', '--quiet', '-m', 'Submodule');
}

function readKinds(file: string): string[] {
  if (!existsSync(file)) return [];
  const known = new Set([...Object.keys(provocations), ...hooks]);
  const kinds = new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((kind) => known.has(kind)),
  );
  return [...kinds].filter((kind) => kind in provocations).sort();
}

interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Of the connections so far: one of our own comes after all of them. */
  count(): Promise<number>;
  reset(): void;
}

async function listen(): Promise<Listener> {
  const server = createServer((socket) => socket.end());
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  const { port } = address;
  const count = async (): Promise<number> => {
    const socket = connect(port, '127.0.0.1').resume();
    await once(socket, 'end');
    return --connections;
  };
  return { server, port, count, reset: () => (connections = 0) };
}
