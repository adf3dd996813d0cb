import { describe, expect, it } from 'vitest';
import { type FakeRequestOptions, fakeRequest } from '../../test/cli/fake-request.ts';
import { openScriptedTerminal } from '../../test/cli/scripted-terminal.ts';
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import type { ApprovalRequest } from '../engine/index.ts';
import { askPerson } from './ask-person.ts';

const preview = async () => ({ matched: [], matchedCount: 12, newlyAllowed: 3, origin: 'run' as const });

async function ask(script: readonly (string | null)[], options: FakeRequestOptions = {}) {
  using scripted = openScriptedTerminal(script);
  const { signal } = new AbortController();
  const answer = await askPerson({ terminal: scripted.terminal, request: fakeRequest(options), preview, signal });
  return { answer, shown: scripted.shown() };
}

const proposals: ApprovalRequest['details']['proposals'] = [
  { act: 'write', pattern: 'src/a.ts' },
  { act: 'write', pattern: 'src/*' },
];

describe('askPerson', () => {
  it.each<[string, (string | null)[], unknown]>([
    ['y', ['y'], { decision: 'approve' }],
    ['a whole word in capitals', [' YES '], { decision: 'approve' }],
    ['n and why', ['n', ' Not this file. '], { decision: 'deny', reason: 'Not this file.' }],
    ['n and no reason', ['no', ''], { decision: 'deny' }],
    ['d', ['d'], { decision: 'defer' }],
    ['the end of the input', [null], { decision: 'defer' }],
    ['the end of the input in place of a reason', ['n', null], { decision: 'defer' }],
    ['the end of the input in place of a file', ['e', null], { decision: 'defer' }],
    ['no letter, a wrong one, then one', ['', 'yep', 'r', 'd'], { decision: 'defer' }],
    ['e and then nothing', ['e', '', 'y'], { decision: 'approve' }],
  ])('takes %s', async (_what, script, answer) => {
    expect((await ask(script)).answer).toEqual(answer);
  });

  it('takes other arguments from a file, and asks again when they cannot be read', async () => {
    using files = createTemporaryDirectory();
    const broken = files.write('broken.json', '{"path":');
    const good = files.write('good.json', '{"path":"b.ts"}');
    const { answer, shown } = await ask(['e', broken, 'e', good]);
    expect(answer).toEqual({ decision: 'approve', rewrite: { path: 'b.ts' } });
    expect(shown).toContain(`The rewrite cannot be read from ${broken}: `);
  });

  it('offers what was proposed at every scope, and approves with the one that is chosen', async () => {
    const { answer, shown } = await ask(['r', '0', 'r', '7', 'r', 'x', 'r', '', 'r', '5'], { details: { proposals } });
    expect(answer).toEqual({ decision: 'approve', remember: { scope: 'project', pattern: 'src/*' } });
    expect(shown).toContain('"src/*" matches 12 earlier acts, and would newly allow 3 of them');
    expect(shown).toContain(
      '  1  allow write "src/a.ts" in this run\n' +
        '  2  allow write "src/a.ts" in this workspace\n' +
        '  3  allow write "src/a.ts" in everything you run\n' +
        '  4  allow write "src/*" in this run\n',
    );
  });

  it.each<[string, FakeRequestOptions, string]>([
    ['nothing was proposed', {}, '[y]es [n]o [e]dit [d]efer: '],
    ['something was', { details: { proposals } }, '[y]es [n]o [e]dit [r]emember [d]efer: '],
    ['it is a plan, which is corrected with a no', { act: 'plan' }, '[y]es [n]o [d]efer: '],
  ])('offers only what there is to choose: %s', async (_what, request, prompt) => {
    expect((await ask(['d'], request)).shown).toContain(`\n${prompt}<d>`);
  });

  it('names what it is about in the question itself, with nothing hidden in it', async () => {
    const { shown } = await ask(['d'], { target: 'a\u202e.ts' });
    expect(shown.split('\n')[0]).toBe('write a\\u{202e}.ts');
  });
});
