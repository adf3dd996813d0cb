import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FakeRequestOptions, fakeRequest, fakeRunId, fakeWrite } from '../../test/cli/fake-request.ts';
import type { JudgedAct } from '../shared/act.ts';
import { toRequestBlock, toRequestLines } from './request-lines.ts';

const id = `${fakeRunId}:root:3:0`;
const command: JudgedAct = {
  act: {
    kind: 'exec',
    target: 'npm test',
    program: { written: 'npm', real: '/usr/bin/npm', isSystem: true },
    opaque: null,
  },
  verdict: { ...fakeWrite.verdict, rule: 'npm *', layer: 'app', origin: 'app', because: 'the rule says so' },
};
const allowed: JudgedAct = { act: fakeWrite.act, verdict: { ...fakeWrite.verdict, effect: 'allow' } };

describe('a request in a few lines', () => {
  it('says what is wanted, by whom, why it is asked and how to see the rest', () => {
    expect(toRequestBlock(fakeRequest())).toEqual([
      `${id}  write src/a.ts`,
      `  run         Mend the tests  (${fakeRunId})`,
      '  agent       root, step 3, write_file',
      '  because     write of "src/a.ts" must be asked for by default',
      '  decided by  the default',
      '  content     diff, 2 lines, 10 B',
      `  in full     io-studio approvals ${id}`,
    ]);
  });

  it('says where the agent has its ideas from, and what could be remembered', () => {
    const details = {
      untrusted: { origin: 'repository', target: 'README.md', step: 1 },
      sensitive: { origin: 'command', target: 'env', step: 2 },
      proposals: [{ act: 'write', pattern: 'src/*' }],
    } satisfies FakeRequestOptions['details'];
    expect(toRequestBlock(fakeRequest({ details })).slice(5, 8)).toEqual([
      '  untrusted   it was shown README.md (repository) in step 1',
      '  sensitive   it was shown env (command) in step 2',
      '  remember    allow write "src/*"',
    ]);
  });

  it('does not hold the digest', () => {
    expect(toRequestBlock(fakeRequest()).join('\n')).not.toContain('dddddddd');
  });
});

describe('a whole request', () => {
  it('shows everything that will happen, and ends with the digest', () => {
    const request = fakeRequest({
      act: 'exec',
      target: 'npm test',
      details: {
        tool: 'shell',
        acts: [allowed, command],
        content: { kind: 'command', text: 'npm test' },
        environment: ['HOME', 'PATH'],
        files: [
          { path: '/usr/bin/npm', hash: 'f'.repeat(64) },
          { path: 'new.txt', hash: null },
        ],
        differences: ['src/a.ts is no longer what it was'],
      },
    });
    expect(toRequestLines(request)).toEqual([
      `${id}  exec npm test`,
      `  run         Mend the tests  (${fakeRunId})`,
      '  agent       root, step 3, shell',
      '  because     write of "src/a.ts" must be asked for by default',
      '  decided by  the rule "npm *" of the layer "app" (app)',
      '  workspace   /w',
      '  acts        allow  write src/a.ts',
      '              ask    exec npm test',
      '                program /usr/bin/npm',
      '                the rule says so',
      '  isolation   none',
      '  variables   HOME, PATH',
      '  rests on    /usr/bin/npm  ffffffffffff',
      '              new.txt  not there',
      '  changed     src/a.ts is no longer what it was',
      '  content     command, 1 line, 8 B',
      '  | npm test',
      `  digest      ${'d'.repeat(64)}`,
    ]);
  });

  it.each<[string, JudgedAct['act'], string]>([
    ['a link that leads elsewhere', { ...fakeWrite.act, real: '.git/config' }, 'really .git/config'],
    ['a place that cannot be told', { ...fakeWrite.act, real: null }, 'its place cannot be told'],
    [
      'a builtin',
      { ...command.act, program: { written: 'cd', real: null, isSystem: true } },
      'program cd, built into the shell',
    ],
    [
      'a line nobody can read',
      { ...command.act, program: null, opaque: 'it is a script' },
      'cannot be foreseen: it is a script',
    ],
    ['an address', { kind: 'net', target: 'a.example:443', address: '10.0.0.1:443' }, 'really 10.0.0.1:443'],
  ] as [string, JudgedAct['act'], string][])('names %s', (_what, act, says) => {
    const lines = toRequestLines(fakeRequest({ details: { acts: [{ act, verdict: fakeWrite.verdict }] } }));
    expect(lines).toContain(`                ${says}`);
  });

  it('says why it is asked only once, but why of each other act', () => {
    const asked = { ...command.verdict, because: 'exec of "npm test" must be asked for by default' };
    const acts = [fakeWrite, { ...command, verdict: asked }];
    const text = toRequestLines(fakeRequest({ details: { acts } })).join('\n');
    expect(text.split('must be asked for').length - 1).toBe(2);
    expect(text).toContain(`                ${asked.because}`);
  });

  it('says who has answered it', () => {
    const answer = { decision: 'approve', actor: 'person:ada@terminal', at: 0 } as const;
    expect(toRequestLines(fakeRequest({ answer })).at(-2)).toBe(
      '  answered    approve by person:ada@terminal, 1970-01-01T00:00:00.000Z',
    );
  });

  it('shows no rule for a plan, which no rule is about', () => {
    const lines = toRequestLines(
      fakeRequest({ act: 'plan', details: { acts: [], content: { kind: 'plan', text: '1. Look' } } }),
    );
    expect(lines.some((line) => /^ {2}(decided by|acts|isolation)/.test(line))).toBe(false);
  });

  it('lets no text of a model or a file write a line of ours, or hide in one', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('a', '\n', '\r', '\u001b', '\u202e', '\u2028', ' ', '  digest      '),
    });
    fc.assert(
      fc.property(anyText, anyText, (target, text) => {
        const lines = toRequestLines(
          fakeRequest({ target, because: target, title: target, details: { content: { kind: 'diff', text } } }),
        );
        const quoted = lines.filter((line) => line.startsWith('  | '));
        expect(lines.length - quoted.length).toBe(10);
        expect(lines.filter((line) => /^ {2}digest {6}d{64}$/.test(line)).length).toBe(1);
        expect(lines.join('')).not.toMatch(/\p{C}|\u2028/u);
      }),
    );
  });
});
