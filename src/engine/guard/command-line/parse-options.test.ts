import { describe, expect, it } from 'vitest';
import { parseOptions, toForms } from './parse-options.ts';
import { toLiteralWord, toPath } from './word.ts';

const forms = toForms({ flag: '--verbose --version', value: '-n --lines -name', attached: '-i --color' });

function parse(text: string, stopsAtOperand = false) {
  const { options, operands } = parseOptions(text.split(' ').map(toLiteralWord), { forms, stopsAtOperand });
  return {
    options: options.map(
      ({ name, value, isKnown }) => `${name}${value === null ? '' : `=${toPath(value)}`}${isKnown ? '' : ' ?'}`,
    ),
    operands: operands.map(toPath),
  };
}

describe('parseOptions', () => {
  it.each([
    ['-n 5 a', ['-n=5'], ['a']],
    ['-n5 a', ['-n=5'], ['a']],
    ['-xn 5 a', ['-x ?', '-n=5'], ['a']],
    ['-i.bak a', ['-i=.bak'], ['a']],
    ['-i a', ['-i'], ['a']],
    ['--lines 5 a', ['--lines=5'], ['a']],
    ['--lines=5 a', ['--lines=5'], ['a']],
    ['--li 5 a', ['--lines=5'], ['a']],
    ['--ver a', ['--verbose ?', '--version ?'], ['a']],
    ['--color a', ['--color'], ['a']],
    ['-name x a', ['-name=x'], ['a']],
    ['--other a', ['--other ?'], ['a']],
    ['a -n 5 -- -n', ['-n=5'], ['a', '-n']],
    ['- a', [], ['-', 'a']],
    ['-n', ['-n'], []],
  ])('%s', (text, options, operands) => {
    expect(parse(text)).toEqual({ options, operands });
  });

  it('ends at the first operand where a program passes the rest on', () => {
    expect(parse('-n 5 a -n 6', true)).toEqual({ options: ['-n=5'], operands: ['a', '-n', '6'] });
  });
});
