// Options of git that show no content. Whatever is not listed might: with it, a command counts as one that does.
import { parseOptions, toForms } from './parse-options.ts';
import { literalValue, type Word } from './word.ts';

const names = (text: string) => text.split(' ');

/** Which files differ, and how much. */
const summaries = new Set(
  names(
    '--name-only --name-status --stat --numstat --shortstat --summary --dirstat --quiet -s --no-patch --raw --compact-summary',
  ),
);

const listing = new Set(
  names(
    '--oneline --graph --decorate --no-decorate --all --branches --tags --remotes --merges --no-merges --first-parent --reverse --follow ' +
      '--abbrev-commit --no-abbrev-commit --date-order --topo-order --author-date-order --full-history --simplify-merges --cached ' +
      '--staged --no-color --color --no-ext-diff --no-textconv --no-renames --find-renames -M -C -z -i -E -F -g --walk-reflogs ' +
      '--exit-code --max-count -n --skip --since --until --after --before --author --grep --no-notes --show-signature --boundary --left-right --source --relative-date --root -r -t',
  ),
);

/** The same with a value in the same word. */
const valued =
  /^--(?:max-count|skip|since|after|until|before|author|committer|grep|format|pretty|date|decorate|decorate-refs|stat|color|abbrev|diff-filter|find-renames|ignore-submodules|branches|tags|remotes|exclude|glob|dirstat)=/;

const isListing = (text: string) =>
  !text.startsWith('-') || /^-n?\d+$/.test(text) || listing.has(text) || valued.test(text);

/** Commits, or which files they changed, and nothing of what is in these. */
export function isPlainLog(words: readonly Word[]): boolean {
  return toOptions(words).every((text) => isListing(text) || summaries.has(text));
}

/** A comparison that shows no content, which it would do without being told. */
export function isSummary(words: readonly Word[]): boolean {
  const texts = toOptions(words);
  const summarises = texts.some((text) => summaries.has(text) || /^--(?:stat|dirstat)=/.test(text));
  return summarises && isPlainLog(words);
}

const commitForms = toForms({
  flag: '--amend --no-edit --allow-empty --allow-empty-message -s --signoff --no-signoff -q --quiet -n --no-verify --no-gpg-sign --reset-author',
  value: '-m --message -F --file -C --reuse-message --fixup --squash --author --date --cleanup --trailer',
});

/** It commits what is staged already. */
export function isPlainCommit(words: readonly Word[]): boolean {
  const { options, operands } = parseOptions(words, { forms: commitForms });
  return operands.length === 0 && options.every((option) => option.isKnown);
}

/** Up to the dashes. What is not known may be any option. */
function toOptions(words: readonly Word[]): readonly string[] {
  const texts = words.map((word) => literalValue(word) ?? '-?');
  const end = texts.indexOf('--');
  return end === -1 ? texts : texts.slice(0, end);
}
