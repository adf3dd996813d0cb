// Of which files a command of git shows, stages or puts back what git itself keeps. Only what surely is a pathspec narrows
// that down: before `--` a word may be a revision, or belong to an option.
import { isAbbreviation } from './git-commands.ts';
import { isPlainCommit, isPlainLog, isSummary } from './git-options.ts';
import { namesOneFile } from './git-revision-path.ts';
import { type OptionForm, parseOptions, toForms } from './parse-options.ts';
import { literalValue, type Word } from './word.ts';

/** Its pathspecs, none for all that git keeps; null where it is about the contents of nothing that is kept. */
export function findGitPathspecs(command: string, words: readonly Word[]): readonly string[] | null {
  const taking = takings[command];
  if (taking === undefined || taking.isHarmless?.(words) === true) return null;
  if (words.some((word) => isAbbreviation((literalValue(word) ?? '').split('=', 1)[0] ?? '', '--pathspec-from-file')))
    return [];
  return toPathspecs(taking.pathspecs(words));
}

interface Taking {
  /** Its pathspecs as they are written. */
  readonly pathspecs: (words: readonly Word[]) => readonly Word[];
  /** With these words it is about no contents. */
  readonly isHarmless?: (words: readonly Word[]) => boolean;
}

const everything: Taking = { pathspecs: () => [] };

const takings: Readonly<Record<string, Taking>> = {
  add: { pathspecs: operandsAfter('--chmod'), isHarmless: (words) => words.length === 0 },
  am: everything,
  apply: everything,
  archive: everything,
  bisect: everything,
  'cat-file': {
    ...everything,
    isHarmless: (words) => namesOneFile(words) || /^-[tse]$/.test(literalValue(words[0]) ?? ''),
  },
  checkout: { pathspecs: afterDashes, isHarmless: (words) => isNewBranch(words, /^-[bB]$/) },
  'cherry-pick': everything,
  commit: {
    pathspecs: operandsAfter(
      '-m --message -F --file -c -C --reedit-message --reuse-message --fixup --squash --author --date -t --template --cleanup --trailer',
    ),
    isHarmless: isPlainCommit,
  },
  diff: { pathspecs: afterDashes, isHarmless: isSummary },
  'diff-files': { pathspecs: afterDashes, isHarmless: isPlainLog },
  'diff-index': { pathspecs: afterDashes, isHarmless: isPlainLog },
  'diff-tree': { pathspecs: afterDashes, isHarmless: isPlainLog },
  'fast-export': everything,
  'format-patch': everything,
  grep: { pathspecs: (words) => (hasPattern(words) ? afterDashes(words) : []) },
  log: { pathspecs: afterDashes, isHarmless: isPlainLog },
  merge: everything,
  'merge-tree': everything,
  mv: { pathspecs: operandsAfter('') },
  pull: everything,
  'range-diff': everything,
  rebase: everything,
  reset: {
    pathspecs: afterDashes,
    isHarmless: (words) => hasOnly(words, /^(?:--soft|--mixed|--quiet|-q|--no-refresh|-N)$/),
  },
  restore: { pathspecs: operandsAfter('-s --source --conflict -U --unified --inter-hunk-context') },
  revert: everything,
  rm: { pathspecs: operandsAfter('') },
  show: { pathspecs: afterDashes, isHarmless: namesOneFile },
  'sparse-checkout': { ...everything, isHarmless: (words) => literalValue(words[0]) === 'list' },
  stash: { pathspecs: findStashed, isHarmless: isStashList },
  status: {
    pathspecs: afterDashes,
    isHarmless: (words) => !words.some((word) => /^-[a-z]*v|^--v/.test(literalValue(word) ?? '-v')),
  },
  switch: { ...everything, isHarmless: (words) => isNewBranch(words, /^(?:-[cC]|--create)$/) },
  whatchanged: { pathspecs: afterDashes, isHarmless: isPlainLog },
  worktree: {
    ...everything,
    isHarmless: (words) => /^(?:list|lock|unlock|prune|remove|repair)$/.test(literalValue(words[0]) ?? ''),
  },
};

/** Everything where one of them is not known, or may come to mean an option or another pathspec. */
function toPathspecs(words: readonly Word[]): readonly string[] {
  const texts = words.map((word) => (word.kind === 'open' ? word.head : literalValue(word)));
  const isClear = texts.every(
    (text, at) => text !== null && (words[at]?.kind === 'literal' || /^[\w/][^:]*$/.test(text)),
  );
  return isClear ? texts.flatMap((text) => text ?? []) : [];
}

/** An option just before the dashes might take them for its value, unless it is known to take none. */
function afterDashes(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => literalValue(word) === '--');
  const before = at <= 0 ? '' : (literalValue(words[at - 1]) ?? '-');
  const isEnd = !before.startsWith('-') || /=|^-(?:[pu]|\d+)$/.test(before) || plainFlags.has(before);
  return at !== -1 && isEnd ? words.slice(at + 1) : [];
}

const plainFlags = new Set(
  '--patch --cached --staged --stat --name-only --name-status --oneline --all --follow --hard -q --quiet -n -l -i -w -v'.split(
    ' ',
  ),
);

/** For commands whose operands are pathspecs and nothing else; `values`: their options that take the next word. */
function operandsAfter(values: string): Taking['pathspecs'] {
  const forms: ReadonlyMap<string, OptionForm> = toForms({ value: values });
  return (words) => parseOptions(words, { forms }).operands;
}

const stashForms = operandsAfter('-m --message -U --unified --inter-hunk-context');

function findStashed(words: readonly Word[]): readonly Word[] {
  return literalValue(words[0]) === 'push' ? stashForms(words.slice(1)) : [];
}

function isStashList([first, ...rest]: readonly Word[]): boolean {
  const command = literalValue(first) ?? '';
  return command === 'drop' || command === 'clear' || (command === 'list' && isPlainLog(rest));
}

const grepForms = toForms({
  value: '-e -f -A -B -C -m --after-context --before-context --context --max-count --max-depth --threads',
});

/** The first operand of a search is what it looks for, also where it follows on dashes. */
function hasPattern(words: readonly Word[]): boolean {
  const at = words.findIndex((word) => literalValue(word) === '--');
  const { options, operands } = parseOptions(words.slice(0, Math.max(at, 0)), { forms: grepForms });
  return operands.length > 0 || options.some(({ name, value }) => /^-[ef]$/.test(name) && value !== null);
}

/** A branch that begins where the work stands changes no file. */
function isNewBranch(words: readonly Word[], option: RegExp): boolean {
  return (
    words.length === 2 &&
    words.every((word) => literalValue(word) !== null) &&
    option.test(literalValue(words[0]) ?? '')
  );
}

/** No other options than these, each a word of its own. */
function hasOnly(words: readonly Word[], options: RegExp): boolean {
  return words.every((word) => options.test(literalValue(word) ?? '-') || !(literalValue(word) ?? '-').startsWith('-'));
}
