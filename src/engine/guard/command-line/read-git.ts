// `git`: options that run something or read another configuration make it opaque, and so do names that only the repository
// gives a meaning: aliases and remotes. Its exact words stay a command that a rule can allow.
import { findGitPathspecs } from './find-git-pathspecs.ts';
import { gitCommands, isRunningWord } from './git-commands.ts';
import { ProgramUse } from './program-use.ts';
import { readGitPaths } from './read-git-paths.ts';
import { toAddress } from './to-address.ts';
import { literalValue, toLiteralWord, type Word } from './word.ts';

const plainGlobals = new Set(
  '--no-pager -P --paginate -p --no-optional-locks --literal-pathspecs --no-replace-objects --bare --version --help -h -v'.split(
    ' ',
  ),
);

/** They reach another machine: the one their words name, or one that the repository does. */
const dialling = new Set(['clone', 'fetch', 'pull', 'push', 'ls-remote']);

export function readGit(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const { at, directory, isPlain, isPlaced } = readGlobals(use, words);
  const command = literalValue(words[at]);
  if (command === null) return at < words.length ? use.blur('it is not clear what it does') : use;
  const rest = words.slice(at + 1);
  if (!gitCommands.has(command)) use.blur('it may be another name for something else');
  if (rest.some((word) => isRunningWord(command, literalValue(word) ?? '')))
    use.blur('an option of it runs something or changes what git does');
  if (command === 'config' && rest.filter((word) => !(literalValue(word) ?? '').startsWith('-')).length > 1)
    use.blur('it changes what git runs');
  if (command === 'format-patch' && !rest.some((word) => literalValue(word) === '--stdout'))
    use.blur('the names it writes are not in its words');
  if (dialling.has(command)) readRemote(use, command, rest);
  readGitPaths(use, { command, words: rest, directory });
  const pathspecs = findGitPathspecs(command, rest);
  if (pathspecs !== null) use.tracked = { directory: isPlaced ? directory : null, pathspecs: isPlain ? pathspecs : [] };
  return use;
}

interface Globals {
  /** Where the command is. */
  readonly at: number;
  /** Where git goes first. */
  readonly directory: string;
  /** It is known where the repository is looked for. */
  readonly isPlaced: boolean;
  /** Pathspecs mean what they mean without options. */
  readonly isPlain: boolean;
}

/** Options before the command. */
function readGlobals(use: ProgramUse, words: readonly Word[]): Globals {
  let directory = '.';
  let isPlaced = true;
  let isPlain = true;
  let at = 0;
  for (; at < words.length; at++) {
    const value = literalValue(words[at]) ?? '';
    if (!value.startsWith('-')) break;
    if (value === '-C') {
      const entered = literalValue(words[++at]);
      isPlaced &&= entered !== null;
      if (entered === null) use.blur('it is not clear where it runs');
      else directory = entered.startsWith('/') || directory === '.' ? entered : `${directory}/${entered}`;
      use.open('read', toLiteralWord(directory));
    } else if (!plainGlobals.has(value)) {
      use.blur('an option of it changes what git runs');
      isPlaced &&= value === '-c';
      isPlain = false;
      if (/^(?:-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/.test(value)) at++;
    }
  }
  return { at, directory, isPlaced, isPlain: isPlain && !words.slice(0, at).some(isLiteralPathspecs) };
}

/** After it no pathspec is an exception. */
function isLiteralPathspecs(word: Word): boolean {
  return literalValue(word) === '--literal-pathspecs';
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
