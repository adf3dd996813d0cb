// What is known of git: its own commands, and the options after which its words do not tell everything.

const split = (names: string) => names.split(' ').filter((name) => name !== '');

/**
 * Commands of git itself, none of which can be an alias. Those that are left out write what only a patch, an index or a
 * history names, or are used by nothing but other commands.
 */
export const gitCommands: ReadonlySet<string> = new Set(
  split(
    'add annotate archive bisect blame branch cat-file check-ignore check-attr checkout cherry cherry-pick clean clone commit ' +
      'commit-tree config count-objects describe diff diff-files diff-index diff-tree fast-export fetch for-each-ref ' +
      'format-patch fsck gc grep hash-object help init log ls-files ls-remote ls-tree merge merge-base merge-tree mv name-rev ' +
      'notes pack-refs prune pull push range-diff rebase reflog remote repack replace reset restore rev-list rev-parse revert ' +
      'rm shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag ' +
      'update-ref var verify-commit verify-tag version whatchanged worktree write-tree',
  ),
);

/** By command; in front of them all those that hold for every one. Words without a dash are subcommands. */
const runningWords: Readonly<Record<string, readonly string[]>> = {
  '*': split(
    '--upload-pack --receive-pack --exec --ext-diff --textconv --open-files-in-pager --gpg-sign --output --output-directory',
  ),
  clone: split('-u -c --config --template --recurse-submodules --recursive --separate-git-dir'),
  rebase: split('-x -i --interactive'),
  bisect: ['run'],
  submodule: split('foreach update add'),
  config: split(
    '--global --system --file -f --edit -e --add --replace-all --unset --unset-all --rename-section --remove-section set unset edit',
  ),
  archive: split('--remote -o'),
  'format-patch': ['-o'],
  remote: split('add set-url update show prune rename'),
  init: split('--template --separate-git-dir'),
  worktree: split('add move'),
  'fast-export': split('--export-marks --import-marks'),
};

/** Written in full it is an option of its own, although it looks like the beginning of another. */
const notAbbreviated = new Set(['--text']);

/** Whether a word makes the command run something, or change what git does. Long options may be abbreviated. */
export function isRunningWord(command: string, text: string): boolean {
  if (/^-O/.test(text)) return true;
  const [written = ''] = text.split('=', 1);
  const names = [...(runningWords['*'] ?? []), ...(runningWords[command] ?? [])];
  return names.some((name) => (/^--./.test(name) ? isAbbreviation(written, name) : name === written));
}

/** Whether `written` may stand for the long option `name`. */
export function isAbbreviation(written: string, name: string): boolean {
  return /^--./.test(written) && name.startsWith(written) && !notAbbreviated.has(written);
}
