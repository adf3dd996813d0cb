import { describe, expect, it } from 'vitest';
import type { LeafVerification, Verification } from '../../shared/verification.ts';
import { findChangedInputs } from './find-changed-inputs.ts';

const command = (...argv: [string, ...string[]]): LeafVerification => ({ kind: 'command', argv, expectExit: 0 });

describe('the changed inputs of a check', () => {
  const cases: [string, Verification, string[]][] = [
    ['a script of the workspace', command('./check.sh'), ['check.sh']],
    ['an operand', command('sh', 'scripts/check.sh'), ['scripts/check.sh']],
    ['what lies in an operand', command('runner', 'cases/'), ['cases/one.txt']],
    ['a file within a line', command('sh', '-c', 'cd x && ./tools/run.py "a" > /dev/null'), ['tools/run.py']],
    ['the value of an option', command('tool', '--config=conf/strict.yaml'), ['conf/strict.yaml']],
    ['the script of any part', { kind: 'all', of: [command('true'), command('./b')] }, ['b']],
  ];
  it.each(cases)('hold %s', (_title, verification, inputs) => {
    expect(findChangedInputs(verification, ['src/main.js', ...inputs, 'docs/latest.md'])).toEqual(inputs);
  });

  it.each([
    'package.json',
    'web/package.json',
    'Makefile',
    'pyproject.toml',
    'conftest.py',
    'Cargo.toml',
    'build.rs',
    'go.mod',
    'tsconfig.build.json',
    'jest.config.ts',
    'vitest.config.mts',
    'babel.config.json',
    '.mocharc.yml',
    'pytest.ini',
    'CMakeLists.txt',
    'build.gradle.kts',
    'src/add.test.ts',
    'src/add_test.go',
    'tests/fixtures/a.json',
    'src/__tests__/add.js',
    'test_add.py',
    'src/AddTest.java',
    'src/TestAdd.java',
    'spec/add_spec.rb',
    'src/__snapshots__/a.snap',
  ])('hold %s, which no command has to name', (path) => {
    expect(findChangedInputs(command('make'), [path])).toEqual([path]);
  });

  it.each([
    'src/main.js',
    'src/latest.js',
    'src/inspect.go',
    'contest.md',
    'src/attestation.rs',
    'my-package.json.txt',
  ])('do not hold %s', (path) => {
    expect(findChangedInputs(command('make', '.'), [path])).toEqual([]);
  });

  it('are none where no command decides', () => {
    const gate: Verification = { kind: 'nodeTest', files: ['a.js'], testSource: 'x' };
    expect(findChangedInputs(gate, ['a.js', 'package.json'])).toEqual([]);
    expect(findChangedInputs({ kind: 'none' }, ['package.json'])).toEqual([]);
  });

  it('are each named once', () => {
    expect(findChangedInputs(command('make'), ['Makefile', 'Makefile'])).toEqual(['Makefile']);
  });
});
