import { describe, expect, it } from 'vitest';
import { fakeRecovery } from '../../test/cli/fake-request.ts';
import { openScriptedTerminal } from '../../test/cli/scripted-terminal.ts';
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { askRecovery } from './ask-recovery.ts';

async function ask(script: readonly (string | null)[], target = 'http://a.example/') {
  using scripted = openScriptedTerminal(script);
  const { signal } = new AbortController();
  const answer = await askRecovery({ terminal: scripted.terminal, recovery: fakeRecovery({ target }), signal });
  return { answer, shown: scripted.shown() };
}

describe('askRecovery', () => {
  it.each<[string, (string | null)[], unknown]>([
    ['r', ['r'], { decision: 'retry' }],
    ['a whole word in capitals', [' RETRY '], { decision: 'retry' }],
    ['c and what it came to', ['c', ' 201 Created '], { decision: 'completed', result: '201 Created' }],
    ['a and why', ['a', 'It costs money.'], { decision: 'abort', reason: 'It costs money.' }],
    ['a and no reason', ['abort', ''], { decision: 'abort' }],
    ['d', ['d'], { decision: 'defer' }],
    ['the end of the input', [null], { decision: 'defer' }],
    ['the end of the input in place of a result', ['c', null], { decision: 'defer' }],
    ['the end of the input in place of a reason', ['a', null], { decision: 'defer' }],
    ['no letter, a wrong one, then one', ['', 'y', 'd'], { decision: 'defer' }],
    ['c and then nothing', ['c', '', 'r'], { decision: 'retry' }],
  ])('takes %s', async (_what, script, answer) => {
    expect((await ask(script)).answer).toEqual(answer);
  });

  it('takes the result from a file, and asks again when that cannot be read', async () => {
    using files = createTemporaryDirectory();
    const file = files.write('result.txt', 'two\nlines\n');
    const { answer, shown } = await ask(['c', `@${file}.not`, 'c', `@${file}`]);
    expect(answer).toEqual({ decision: 'completed', result: 'two\nlines\n' });
    expect(shown).toContain(`The result cannot be read from ${file}.not: `);
  });

  it('names the call in the question itself, with nothing hidden in it', async () => {
    const { shown } = await ask(['d'], 'http://a\u202e.example/');
    expect(shown).toBe('fetch_url http://a\\u{202e}.example/\n[r]etry [c]ompleted [a]bort [d]efer: <d>\n');
  });
});
