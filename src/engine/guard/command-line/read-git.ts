// `git`: options that run something or read another configuration make it opaque, and so do names that only the repository
// gives a meaning: aliases and remotes. Its exact words stay a command that a rule can allow.
import { ProgramUse } from './program-use.ts';
import { toAddress } from './to-address.ts';
import { literalValue, toLiteralWord, toPath, type Word } from './word.ts';

const plainGlobals = new Set(
  '--no-pager -P --paginate -p --no-optional-locks --literal-pathspecs --no-replace-objects --bare --version --help -h -v'.split(
    ' ',
  ),
);

/** Commands of git itself: none of them can be an alias. */
const commands = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-ignore check-attr checkout checkout-index cherry cherry-pick ' +
    'clean clone commit commit-tree config count-objects describe diff diff-files diff-index diff-tree fast-export fetch for-each-ref ' +
    'format-patch fsck gc grep hash-object help init interpret-trailers log ls-files ls-remote ls-tree merge merge-base merge-file ' +
    'merge-tree mv name-rev notes pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace reset restore ' +
    'rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule switch ' +
    'symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree'
  ).split(' '),
);

/** They reach another machine: the one their words name, or one that the repository does. */
const dialling = new Set(['clone', 'fetch', 'pull', 'push', 'ls-remote']);

/** By subcommand; in front of them all those that hold for every one. */
const running: Readonly<Record<string, RegExp>> = {
  '*': /^(?:--upload-pack|--receive-pack|--exec|--ext-diff|--textconv|--open-files-in-pager|-O.*|--gpg-sign|--output-directory)(?:=|$)/,
  clone: /^(?:-u|-c|--config|--template|--recurse-submodules|--recursive)(?:=|$)/,
  rebase: /^(?:-x|-i|--interactive)(?:=|$)/,
  bisect: /^run$/,
  submodule: /^(?:foreach|update|add)$/,
  config: /^(?:--global|--system|--file|-f|--edit|-e|--add|--replace-all|--unset|--unset-all|set|unset|edit)(?:=|$)/,
  archive: /^(?:--remote|-o|--output)(?:=|$)/,
  'filter-branch': /^/,
  difftool: /^/,
  mergetool: /^/,
  remote: /^(?:add|set-url|update|show|prune|-v?update)$/,
  init: /^(?:--template|--separate-git-dir)(?:=|$)/,
  worktree: /^(?:add|move)$/,
  'fast-export': /^--(?:export|import)-marks/,
};

const readsPathsOf = new Set([
  'diff',
  'log',
  'show',
  'blame',
  'annotate',
  'grep',
  'add',
  'cat-file',
  'archive',
  'hash-object',
  'apply',
]);
const writesPathsOf = new Set(['rm', 'mv', 'checkout', 'restore', 'clean']);

export function readGit(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const at = readGlobals(use, words);
  const command = literalValue(words[at]);
  if (command === null) return at < words.length ? use.blur('it is not clear what it does') : use;
  const rest = words.slice(at + 1);
  if (!commands.has(command)) use.blur('it may be another name for something else');
  const isRunning = (value: string) => running['*']?.test(value) === true || running[command]?.test(value) === true;
  if (rest.some((word) => isRunning(literalValue(word) ?? '')))
    use.blur('an option of it runs something or changes what git does');
  if (command === 'config' && rest.filter((word) => !(literalValue(word) ?? '').startsWith('-')).length > 1)
    use.blur('it changes what git runs');
  if (dialling.has(command)) readRemote(use, command, rest);
  readPaths(use, command, rest);
  return use;
}

/** Options before the subcommand; answers where that is. */
function readGlobals(use: ProgramUse, words: readonly Word[]): number {
  let at = 0;
  for (; at < words.length; at++) {
    const value = literalValue(words[at]) ?? '';
    if (!value.startsWith('-')) return at;
    if (value === '-C') {
      use.open('read', words[at + 1] ?? null);
      at++;
    } else if (!plainGlobals.has(value)) {
      use.blur('an option of it changes what git runs');
      if (/^(?:-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/.test(value)) at++;
    }
  }
  return at;
}

function readRemote(use: ProgramUse, command: string, rest: readonly Word[]): void {
  const remote = rest.find((word) => !(literalValue(word) ?? '').startsWith('-'));
  const text = literalValue(remote) ?? '';
  const address = toAddress(text, 'git');
  if (address !== null) use.dial(address);
  else if (command === 'clone' && /^\.{0,2}\/|^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text) && remote !== undefined)
    use.open('read', remote, true);
  else use.blur('what it connects to is not in its words');
}

/** Paths after `--`, and `revision:path`. A path before `--` cannot be told from a revision, so it is looked at as well. */
function readPaths(use: ProgramUse, command: string, rest: readonly Word[]): void {
  const [reads, writes] = [readsPathsOf.has(command), writesPathsOf.has(command)];
  if (!reads && !writes) return;
  for (const word of rest) {
    const value = toPath(word) ?? '';
    if (value === '' || value.startsWith('-')) continue;
    const [, inRevision] = /^[^:/][^:]*:([^:]+)$/.exec(value) ?? [];
    if (inRevision !== undefined) use.open('read', toLiteralWord(inRevision), true);
    else use.open(writes ? 'write' : 'read', word, true);
  }
}
