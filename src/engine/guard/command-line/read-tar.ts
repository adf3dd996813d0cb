// `tar`: which archive, what goes into it, and the options that run programs. What comes out of an archive has names that only
// the archive knows, so taking it apart is opaque.
import { parseOptions, toForms } from './parse-options.ts';
import { ProgramUse } from './program-use.ts';
import { literalValue, toLiteralWord, type Word } from './word.ts';

const running =
  '-I --use-compress-program --to-command --checkpoint-action --rsh-command --rmt-command -F --info-script --new-volume-script';
const elsewhere = '-T --files-from -K --starting-file -N --newer -W --verify -M --multi-volume -g --listed-incremental';
const forms = toForms({
  flag: '-z -j -J -v -p -k -x -t -c -r -u -A --extract --get --list --create --append --update --gzip --bzip2 --xz --zstd --verbose --delete --diff --compare',
  attached: '--totals --occurrence --warning --sort --record-size --checkpoint --one-top-level --no-anchored',
  value: `-f --file -C --directory --exclude --transform --xform --strip-components --mode --owner --group --mtime --format -b --checkpoint-action -I --use-compress-program --to-command --rsh-command --rmt-command -F --info-script --new-volume-script -T --files-from -X --exclude-from --add-file --index-file --volno-file -g --listed-incremental -N --newer -K --starting-file`,
});

export function readTar(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  if (/^[A-Za-z]*[fCTXbgIKNF][A-Za-z]+$/.test(literalValue(words[0]) ?? '')) {
    for (const word of words.slice(1)) use.open('both', word, true);
    return use.blur('it is not clear which of its words is the archive');
  }
  const { options, operands } = parseOptions(withDash(words), { forms });
  const names = options.map(({ name }) => name);
  if (names.some((name) => running.split(' ').includes(name))) use.blur('an option of it runs another program');
  if (names.some((name) => elsewhere.split(' ').includes(name))) use.blur('an option of it takes names from elsewhere');
  const [extracts, lists] = [has(names, '-x --extract --get'), has(names, '-t --list')];
  const creates = has(names, '-c -r -u -A --create --append --update --delete');
  const directory = options.find(({ name }) => name === '-C' || name === '--directory')?.value;
  for (const { name, value, isKnown } of options) {
    if (!isKnown && value !== null) use.blur('it is not clear what an option of it opens');
    if (name === '--add-file') use.open('read', value, true);
    if (name === '--index-file' || name === '--volno-file') use.open('write', value);
    if (name === '-C' || name === '--directory') use.open('read', value, true);
    if (name === '-X' || name === '--exclude-from') use.open('read', value);
    if (name !== '-f' && name !== '--file') continue;
    if (/:/.test(literalValue(value ?? undefined) ?? '')) use.blur('its archive may be on another machine');
    if (literalValue(value ?? undefined) !== '-') use.open(creates ? 'write' : 'read', value);
  }
  if (extracts) use.blur('the names it writes are in the archive').open('write', directory ?? here, true);
  if (!extracts && !lists && directory !== undefined) use.blur('its operands lie in another directory');
  if (creates) for (const word of operands) use.open('read', word, true);
  return use;
}

const here = toLiteralWord('.');

/** The first word may be letters without a dash. */
function withDash(words: readonly Word[]): readonly Word[] {
  const first = literalValue(words[0]);
  if (first === null || !/^[A-Za-z]+$/.test(first)) return words;
  return [toLiteralWord(`-${first}`), ...words.slice(1)];
}

function has(names: readonly string[], wanted: string): boolean {
  return wanted.split(' ').some((name) => names.includes(name));
}
