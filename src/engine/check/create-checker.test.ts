import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkIsolation, createCheckedWorkspace } from '../../../test/support/checked-workspace.ts';
import type { LeafVerification, Verification } from '../../shared/verification.ts';
import type { CheckReport } from './check.ts';

const shell = (line: string, expectExit = 0): LeafVerification => ({
  kind: 'command',
  argv: ['sh', '-c', line],
  expectExit,
});

describe('checks of files', () => {
  const files = {
    'a.txt': 'first\nsecond\n',
    'dos.txt': 'first\r\nsecond\r\n',
    'binary.bin': { content: Buffer.from([0, 1, 2, 0x68, 0x69, 0]) },
  };
  const cases: [string, Verification, CheckReport['result'], string][] = [
    ['a text that occurs', { kind: 'fileContains', file: 'a.txt', text: 'second' }, 'met', 'a.txt contains "second".'],
    ['a text that does not', { kind: 'fileContains', file: 'a.txt', text: 'third' }, 'notMet', 'first\nsecond'],
    ['other line ends', { kind: 'fileContains', file: 'dos.txt', text: 'first\nsecond' }, 'notMet', 'other line ends'],
    ['a text in a binary file', { kind: 'fileContains', file: 'binary.bin', text: 'hi' }, 'met', 'binary.bin contains'],
    [
      'no text in a binary file',
      { kind: 'fileContains', file: 'binary.bin', text: 'ho' },
      'notMet',
      'a binary file of 6',
    ],
    ['a missing file', { kind: 'fileContains', file: 'gone', text: 'x' }, 'notMet', 'There is no file gone.'],
    ['a file that may not be read', { kind: 'fileContains', file: 'secret', text: 'x' }, 'notMet', 'a rule denies'],
    ['an equal file', { kind: 'fileEquals', file: 'a.txt', text: 'first\nsecond\n' }, 'met', 'exactly the expected'],
    [
      'a file that ends early',
      { kind: 'fileEquals', file: 'a.txt', text: 'first\nsecond\nx' },
      'notMet',
      'line 3, column 1',
    ],
    ['a file with other line ends', { kind: 'fileEquals', file: 'dos.txt', text: 'first\n' }, 'notMet', '"first\\r\\n'],
    ['a missing file to equal', { kind: 'fileEquals', file: 'gone', text: '' }, 'notMet', 'There is no file gone.'],
  ];
  it.each(cases)('answers for %s', async (_title, verification, result, evidence) => {
    await using workspace = await createCheckedWorkspace(files);
    expect(await workspace.check(verification)).toEqual({
      result,
      summary: expect.any(String),
      evidence: expect.stringContaining(evidence),
      isolation: null,
    });
  });
});

describe('checks against a schema', () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const cases: [string, string, Record<string, unknown>, CheckReport['result'], string][] = [
    ['JSON that matches', '{"id":1}', schema, 'met', 'matches the schema'],
    ['JSON that does not', '{"id":1.5}', schema, 'notMet', '/id must be integer'],
    ['every problem', '{}', { ...schema, required: ['id', 'b'] }, 'notMet', "required property 'b'"],
    ['text that is not JSON', '{"id":1,}', schema, 'notMet', 'at position 8'],
    ['text that ends early', '{"id":', schema, 'notMet', 'at position 6'],
    ['a byte order mark', '\uFEFF{"id":1}', schema, 'met', 'matches'],
    [
      'draft-07',
      '[1]',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
      'notMet',
      '/0 must',
    ],
    [
      '2020-12',
      '[1]',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
      'notMet',
      '/0',
    ],
    ['an unknown dialect', '{}', { $schema: 'urn:other' }, 'notEvaluated', 'dialect "urn:other"'],
    ['a schema that is none', '{}', { type: 'nonsense' }, 'notEvaluated', 'The schema cannot be used'],
    ['a schema that points elsewhere', '{}', { $ref: 'https://example.com/s' }, 'notEvaluated', "can't resolve"],
    ['an asynchronous schema', '{}', { $async: true }, 'notEvaluated', 'asynchronous'],
  ];
  it.each(cases)('answers for %s', async (_title, content, used, result, evidence) => {
    await using workspace = await createCheckedWorkspace({ 'a.json': content });
    expect(await workspace.check({ kind: 'matchesSchema', file: 'a.json', schema: used })).toEqual({
      result,
      summary: expect.any(String),
      evidence: expect.stringContaining(evidence),
      isolation: null,
    });
  });

  it('says that bytes which are no text are not JSON', async () => {
    await using workspace = await createCheckedWorkspace({ 'a.json': { content: Buffer.from([0x22, 0xff, 0x22]) } });
    const report = await workspace.check({ kind: 'matchesSchema', file: 'a.json', schema: {} });
    expect(report).toMatchObject({ result: 'notMet', summary: 'a.json is not JSON: it is not valid UTF-8.' });
  });
});

describe('checks by command', () => {
  const files = {
    run: { content: '#!/bin/sh\necho ran in "$PWD"\n', mode: 0o755 },
    plain: 'echo no',
    lost: { content: '#!/nowhere/sh\n', mode: 0o755 },
  };
  const cases: [string, LeafVerification, CheckReport['result'], string][] = [
    ['the expected exit', shell('echo fine'), 'met', 'stdout:\nfine'],
    ['the expected exit without any output', shell('exit 0'), 'met', 'stdout: (nothing)'],
    ['an expected exit that is not 0', shell('exit 3', 3), 'met', 'exited with 3'],
    ['exit 0 where another was expected', shell('exit 0', 3), 'notMet', 'expected was 3'],
    ['no output and exit 1 (cline/cline#1773)', shell('exit 1'), 'notMet', 'exited with 1'],
    ['what went to stderr', shell('echo wrong >&2; exit 1'), 'notMet', 'stderr:\nwrong'],
    ['a signal', shell('kill -KILL $$'), 'notMet', 'was ended by SIGKILL'],
    [
      'a missing program',
      { kind: 'command', argv: ['no-such-tool'], expectExit: 0 },
      'notEvaluated',
      'could not be started: no-such-tool: there is no such executable program.',
    ],
    ['a program of the workspace', { kind: 'command', argv: ['./run'], expectExit: 0 }, 'met', 'ran in '],
    [
      'a workspace program that is missing',
      { kind: 'command', argv: ['./gone'], expectExit: 0 },
      'notMet',
      'no executable',
    ],
    [
      'a workspace file that is no program',
      { kind: 'command', argv: ['./plain'], expectExit: 0 },
      'notMet',
      'no executable',
    ],
    ['a missing interpreter', { kind: 'command', argv: ['./lost'], expectExit: 0 }, 'notEvaluated', '/nowhere/sh'],
    ['a program outside', { kind: 'command', argv: ['../sh'], expectExit: 0 }, 'notEvaluated', 'outside the workspace'],
  ];
  it.each(cases)('answers for %s', async (_title, verification, result, evidence) => {
    await using workspace = await createCheckedWorkspace(files);
    const report = await workspace.check(verification);
    expect(report).toMatchObject({ result, evidence: expect.stringContaining(evidence) });
  });

  it('does not find a bare name in the workspace', async () => {
    await using workspace = await createCheckedWorkspace({ tool: { content: '#!/bin/sh\n', mode: 0o755 } });
    const report = await workspace.check({ kind: 'command', argv: ['tool'], expectExit: 0 });
    expect(report.result).toBe('notEvaluated');
  });

  it('does not keep what a command changes, and says so', async () => {
    await using workspace = await createCheckedWorkspace({ kept: 'as it was' });
    const report = await workspace.check(shell('cat kept; echo other > kept; mkdir made; echo new > made/file'));
    expect(report).toMatchObject({
      result: 'met',
      summary: expect.stringContaining("exited with 0. It changed 3 files; a check's changes are not kept."),
      evidence: expect.stringContaining('stdout:\nas it was'),
    });
    expect([readFileSync(join(workspace.path, 'kept'), 'utf8'), readdirSync(workspace.path)]).toEqual([
      'as it was',
      ['kept'],
    ]);
  });

  it('shows a command nothing that is denied to the agent', async () => {
    await using workspace = await createCheckedWorkspace({ '.env': 'KEY=1', 'a.txt': 'x' }, { hidden: ['.env'] });
    const report = await workspace.check(shell('ls -A; test ! -e .env'));
    expect(report).toMatchObject({ result: 'met', evidence: expect.stringContaining('stdout:\na.txt\n') });
  });

  it('lists the inputs of the command that the run has changed', async () => {
    const changedPaths = ['src/add.js', 'test/add.test.js', 'scripts/check.sh', 'package.json'];
    await using workspace = await createCheckedWorkspace({}, { changedPaths });
    const inputs = 'This run itself has changed what the check depends on:\n';
    const passed = await workspace.check({ kind: 'all', of: [shell('true || ./scripts/check.sh')] });
    expect(passed.evidence).toMatch(new RegExp(`${inputs}  test/add.test.js\n  scripts/check.sh\n  package.json$`));
    const failed = await workspace.check(shell('exit 1'));
    expect(failed.evidence).toMatch(new RegExp(`${inputs}  test/add.test.js\n  package.json$`));
    const other = await workspace.check({ kind: 'fileContains', file: 'package.json', text: 'x' });
    expect(other.evidence).not.toContain(inputs);
  });

  it('keeps evidence short and free of control sequences, with head and tail', async () => {
    await using workspace = await createCheckedWorkspace({});
    const report = await workspace.check(
      shell('printf "\\033[31mfirst\\033[0m\\n"; yes line | head -n 100000; echo last; exit 1'),
    );
    expect(Buffer.byteLength(report.evidence)).toBeLessThanOrEqual(16 * 1024);
    expect(report.evidence).toMatch(/stdout:\nfirst\n.*bytes left out.*\nlast\nstderr/s);
  });

  it('is not evaluated when it is cancelled', async () => {
    await using workspace = await createCheckedWorkspace({});
    const abort = new AbortController();
    const checking = workspace.check(shell('sleep 600'), abort.signal);
    abort.abort();
    expect((await checking).result).toBe('notEvaluated');
  });
});

describe('several criteria', () => {
  it('hold when each of them does', async () => {
    await using workspace = await createCheckedWorkspace({ a: 'x' });
    const of: LeafVerification[] = [{ kind: 'fileEquals', file: 'a', text: 'x' }, shell('true')];
    expect(await workspace.check({ kind: 'all', of })).toEqual({
      result: 'met',
      summary: 'All 2 parts hold.',
      evidence:
        'Part 1 of 2, fileEquals: a is exactly the expected text.\nPart 2 of 2, command: The command "sh" "-c" "true" exited with 0.',
      isolation: checkIsolation,
    });
  });

  it('stop at the first that is not met, and say which', async () => {
    await using workspace = await createCheckedWorkspace({ a: 'x' });
    const of: LeafVerification[] = [
      shell('true'),
      { kind: 'fileContains', file: 'a', text: 'y' },
      { kind: 'command', argv: ['./never'], expectExit: 0 },
    ];
    expect(await workspace.check({ kind: 'all', of })).toEqual({
      result: 'notMet',
      summary: 'Part 2 of 3, fileContains: a does not contain "y".',
      evidence: expect.stringMatching(/^Part 1 of 3, command: .*\nPart 2 of 3, fileContains: a does not contain "y"\./),
      isolation: checkIsolation,
    });
  });

  it('of which there are none are no pass', async () => {
    await using workspace = await createCheckedWorkspace({});
    expect((await workspace.check({ kind: 'none' })).result).toBe('notEvaluated');
  });
});
