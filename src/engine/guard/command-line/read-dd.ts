// `dd`, whose operands are all of the form `name=value`.
import { ProgramUse } from './program-use.ts';
import { literalValue, toLiteralWord, type Word } from './word.ts';

export function readDd(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  for (const word of words) {
    const [, name, path = ''] = /^(if|of)=([\s\S]*)$/.exec(literalValue(word) ?? '') ?? [];
    const file = toLiteralWord(path);
    if (name === 'if') use.open('read', file);
    if (name === 'of') use.open('write', file);
  }
  return use;
}
