// `awk`: a program that neither prints into files or commands, nor reads or runs any by itself, only shows what its operands
// hold. That is told by the signs it would need, so a harmless program with such a sign in a text asks all the same.
import { parseOptions, toForms } from './parse-options.ts';
import { ProgramUse } from './program-use.ts';
import { literalValue, type Word } from './word.ts';

const forms = toForms({
  value: '-F --field-separator -v --assign -f --file -i --include -l --load -e --source -E --exec',
  attached: '-d -o -p -D --dump-variables --pretty-print --profile --debug',
});
const plainOptions = new Set(['-F', '--field-separator', '-v', '--assign']);

export function readAwk(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const { options, operands } = parseOptions(words, { forms, stopsAtOperand: true });
  for (const { name, value } of options) {
    if (!plainOptions.has(name)) use.blur('an option of it may read, write or run something');
    if (/^(?:-f|--file|-E|--exec)$/.test(name)) use.open('read', value);
  }
  const hasFile = options.some(({ name }) => /^(?:-f|--file|-E|--exec|-e|--source)$/.test(name));
  const rest = [...operands];
  if (!hasFile && !isPlainAwkProgram(literalValue(rest.shift()) ?? '|'))
    use.blur('its program may read, write or run something');
  for (const word of rest) if (literalValue(word) !== '-') use.open('read', word);
  return use;
}

function isPlainAwkProgram(program: string): boolean {
  if (/system|getline|@|ARGV|ARGC|close|fflush|\bPROCINFO\b/.test(program)) return false;
  if (/[^|]\|[^|]|^\||\|$|\|&/.test(program.replaceAll('||', ' '))) return false;
  return !/print/.test(program) || !program.includes('>');
}
