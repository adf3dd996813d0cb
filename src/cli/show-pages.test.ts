import { describe, expect, it } from 'vitest';
import { openScriptedTerminal, type ScriptedTerminalOptions } from '../../test/cli/scripted-terminal.ts';
import { type PagesOptions, showPages } from './show-pages.ts';

async function show(
  lines: readonly string[],
  script: readonly (string | null)[],
  size: ScriptedTerminalOptions,
  stops: PagesOptions['stops'] = 'deny-or-defer',
) {
  using scripted = openScriptedTerminal(script, size);
  const end = await showPages(scripted.terminal, lines, { signal: new AbortController().signal, stops });
  return { end, shown: scripted.shown() };
}

const fiveLines = ['1', '2', '3', '4', '5'];
const more = (line: number) => `-- line ${line} of 5: Enter shows more, n denies, d defers -- `;

describe('showPages', () => {
  it('shows what fits on the screen without a question', async () => {
    expect(await show(fiveLines, [], { rows: 6 })).toEqual({ end: { kind: 'shown' }, shown: '1\n2\n3\n4\n5\n' });
  });

  it('shows more a page at a time, until the end was shown', async () => {
    expect(await show(fiveLines, ['', ''], { rows: 3 })).toEqual({
      end: { kind: 'shown' },
      shown: `1\n2\n${more(2)}<>\n3\n4\n${more(4)}<>\n5\n`,
    });
  });

  it('takes no yes before the end was shown', async () => {
    expect(await show(fiveLines, ['y', 'yes', 'n'], { rows: 3 })).toEqual({
      end: { kind: 'stopped', wish: 'deny' },
      shown: `1\n2\n${more(2)}<y>\nThe end has not been shown yet.\n${more(2)}<yes>\nThe end has not been shown yet.\n${more(2)}<n>\n`,
    });
  });

  it.each([
    ['d', { kind: 'stopped', wish: 'defer' }],
    [null, { kind: 'end' }],
  ])('stops at %j', async (typed, end) => {
    expect((await show(fiveLines, [typed], { rows: 3 })).end).toEqual(end);
  });

  it('offers no denial of what cannot be denied, and takes none', async () => {
    const { end, shown } = await show(fiveLines, ['n', 'd'], { rows: 3 }, 'defer');
    expect([end, shown]).toEqual([
      { kind: 'stopped', wish: 'defer' },
      expect.stringMatching(/shows more, d defers -- <n>\nThe end has not been shown yet\.\n/),
    ]);
  });

  it('counts the rows that a line is broken into, wide letters and tabs included', async () => {
    const lines = ['a'.repeat(25), '漢'.repeat(10), '\t\t', 'end'];
    expect((await show(lines, ['', ''], { rows: 5, columns: 10 })).shown).toBe(
      [
        `${'a'.repeat(25)}\n-- line 1 of 4: Enter shows more, n denies, d defers -- <>`,
        `${'漢'.repeat(10)}\n\t\t\n-- line 3 of 4: Enter shows more, n denies, d defers -- <>`,
        'end\n',
      ].join('\n'),
    );
  });

  it('shows at least a line, however small the screen', async () => {
    expect((await show(['a'.repeat(99), 'b'], [''], { rows: 1, columns: 1 })).end).toEqual({ kind: 'shown' });
  });
});
