// Programs that run what a file of the project says. Their exact words are what a rule can allow; this finds the words that
// replace the file or hand over a text for a shell.
import { parseOptions, toForms } from './parse-options.ts';
import { type ProgramSetting, ProgramUse } from './program-use.ts';
import { literalValue, type Word } from './word.ts';

const forms = toForms({
  value:
    '-f --file --makefile -C --directory -j --jobs -o -W -I --include-dir --eval -E -c --call -p --package -w --workspace --prefix',
});

export function readBuildTool(words: readonly Word[], { program }: ProgramSetting): ProgramUse {
  const use = new ProgramUse();
  const { options, operands } = parseOptions(words, { forms, stopsAtOperand: program === 'npx' });
  const isMake = /make$|^ninja$/.test(program);
  for (const { name, value } of options) {
    if (isMake && /^(?:-f|--file|--makefile|-C|--directory)$/.test(name)) use.open('read', value);
    if (isMake && /^(?:--eval|-E|-I|--include-dir)$/.test(name)) use.blur('an option of it says what it runs');
    if (!isMake && /^(?:-c|--call)$/.test(name)) use.runLine(value ?? undefined);
    if (!isMake && name === '--script-shell') use.blur('an option of it says what it runs');
  }
  if (isMake && operands.some((word) => /^[\w.-]+\s*[:+?!]*=/.test(literalValue(word) ?? '')))
    use.blur('it is run with variables set');
  return use;
}
