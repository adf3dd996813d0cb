// Shells as programs: the text after `-c` is read like the line itself; a script, or a text from the input, may be anything.
import { parseOptions, toForms } from './parse-options.ts';
import { type ProgramSetting, ProgramUse } from './program-use.ts';
import { literalValue, type Word } from './word.ts';

const forms = toForms({
  flag: '--posix --norc --noprofile --restricted --verbose --noediting --debugger --dump-strings --help --version',
  value: '-o -O +o +O --rcfile --init-file',
});

/** Signs that mean one thing in bash and another, or none, in a plainer shell. */
const ownToBash = /\$['"]|[{}]|\[\[|&>|<<<|\|&|\(\(|[<>=]\(|(?:^|\s)=/;

export function readShellProgram(words: readonly Word[], { program }: ProgramSetting): ProgramUse {
  const use = new ProgramUse();
  const { options, operands } = parseOptions(words, { forms, stopsAtOperand: true });
  const names = options.map(({ name }) => name);
  for (const { name, value } of options) if (name === '--rcfile' || name === '--init-file') use.open('read', value);
  if (names.some((name) => !/^-[ceuxvnrpB]$|^-[oO]$|^--(?:posix|norc|noprofile|restricted|verbose)$/.test(name)))
    use.blur('it runs files of its own at the start').hide('it runs files of its own at the start');
  const [text] = operands;
  if (text?.kind === 'open') return use.hide('the text it runs is not known');
  if (!names.includes('-c')) {
    const reason = text === undefined ? 'it runs what its input holds' : 'it runs what a file holds';
    return use
      .blur(reason)
      .hide(reason)
      .open('read', text ?? null);
  }
  if (/fish|csh/.test(program)) return use.blur('it is in another language').hide('it is in another language');
  if (program !== 'bash' && ownToBash.test(literalValue(text) ?? ''))
    use.hide(`it may mean something else to ${program}`);
  return use.runLine(text);
}

/** Shells that do not read their text as this reader does. */
export function readForeignShell(): ProgramUse {
  return new ProgramUse().blur('its language is not read here').hide('its language is not read here');
}
