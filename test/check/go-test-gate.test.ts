import { describe, expect, it } from 'vitest';
import { findSystemProgram } from '../../src/engine/process/find-system-program.ts';
import { checkIsolation, createCheckedWorkspace, createFailingSandbox } from '../support/checked-workspace.ts';

const hasGo = findSystemProgram('go') !== null;
if (!hasGo) console.log('SKIPPED: the tests of the Go gate need go, which is not on this machine');

const testSource = `package add

import "testing"

func TestAdd(t *testing.T) {
	if got := add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestAgain(t *testing.T) {
	t.Parallel()
	if add(2, 2) != 4 {
		panic("wrong")
	}
}
`;

async function checkSource(content: string, source = testSource, more: Readonly<Record<string, string>> = {}) {
  const files = { 'add/add.go': content, ...more };
  await using workspace = await createCheckedWorkspace(files);
  return await workspace.check({ kind: 'goTest', files: Object.keys(files), testSource: source });
}

describe.skipIf(!hasGo)('a Go subject that is right (needs go)', () => {
  it('passes, with what it prints', async () => {
    const content =
      'package add\n\nimport "fmt"\n\nfunc init() { fmt.Println("hello") }\nfunc add(a, b int) int { return a + b }\n';
    expect(await checkSource(content)).toEqual({
      result: 'met',
      summary: '2 tests passed, 0 failed, 0 were skipped.',
      evidence: expect.stringMatching(/hello.*--- PASS: TestAdd .*--- PASS: TestAgain /s),
      isolation: checkIsolation,
    });
  });

  it('lets tests use generics, subtests, skips, a TestMain and another package of the module', async () => {
    const source = `package add_test

import (
	"os"
	"testing"

	"example.com/sum/add"
	"example.com/sum/more"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }
func TestAdd(t *testing.T) {
	for name, want := range map[string]int{"a": 3} {
		t.Run(name, func(t *testing.T) {
			if add.Add(1, 2) != want || max(1, 2) != 2 { t.Fatal() }
		})
	}
}
func TestMore(t *testing.T) { if more.Twice(2) != 4 { t.Fatal() } }
func TestLater(t *testing.T) { t.Skip("later") }
func max[T int | float64](a, b T) T { if a > b { return a }; return b }
`;
    const report = await checkSource('package add\n\nfunc Add(a, b int) int { return a + b }\n', source, {
      'more/more.go': 'package more\n\nfunc Twice(a int) int { return 2 * a }\n',
      'go.mod': 'module example.com/sum\n\ngo 1.18\n',
    });
    expect(report).toMatchObject({ result: 'met', summary: '2 tests passed, 0 failed, 1 were skipped.' });
  });
});

const wrong = 'func add(a, b int) int { return 0 }';
const passLines = '--- PASS: TestAdd (0.00s)\\\\n--- PASS: TestAgain (0.00s)\\\\nPASS\\\\n';

/** Not for any other reason than that the tests did not pass. */
const failed = {
  result: 'notMet',
  summary: expect.stringMatching(/^[01] tests passed, [12] failed|did not run to their end|does not compile/),
};

describe.skipIf(!hasGo)('a Go subject that is wrong (needs go)', () => {
  const hostile: [string, string, Record<string, string>?][] = [
    ['is just wrong', wrong],
    ['does not compile', 'func add(a, b int) int { return "no" }'],
    ['exits before the tests begin', `import "os"\nfunc init() { os.Exit(0) }\n${wrong}`],
    ['exits when it is called', 'import "os"\nfunc add(a, b int) int { os.Exit(0); return 0 }'],
    [
      'prints what a pass looks like and exits',
      `import ("fmt"; "os")\nfunc init() { fmt.Print("${passLines}"); os.Exit(0) }\n${wrong}`,
    ],
    ['leaves the goroutine of the test', 'import "runtime"\nfunc add(a, b int) int { runtime.Goexit(); return 0 }'],
    ['has a TestMain', `import ("os"; "testing")\nfunc TestMain(m *testing.M) { os.Exit(0) }\n${wrong}`],
    [
      'has a TestMain among its own tests',
      wrong,
      { 'add/own_test.go': 'package add\n\nimport ("os"; "testing")\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n' },
    ],
    [
      'changes which tests are run',
      `import ("flag"; "os")
func init() { os.Args = []string{os.Args[0], "-test.run=^$", "-test.v"} }
func add(a, b int) int { flag.Set("test.run", "^$"); return 0 }`,
    ],
    [
      'puts itself between the tests and their output',
      `import ("bufio"; "os"; "regexp"; "strings")
func init() {
	for _, each := range []**os.File{&os.Stdout, &os.Stderr} {
		kept := *each
		reading, writing, _ := os.Pipe()
		*each = writing
		go func() {
			count := regexp.MustCompile("^([0-9a-f]+) [0-9] [0-9] 0$")
			for lines := bufio.NewScanner(reading); lines.Scan(); {
				line := strings.ReplaceAll(count.ReplaceAllString(lines.Text(), "$1 2 0 0"), "FAIL", "PASS")
				kept.WriteString(line + "\\n")
				if count.MatchString(line) { os.Exit(0) }
			}
		}()
	}
}
func add(a, b int) int { if a == 1 { return 0 }; return 4 }`,
    ],
    ['redefines panic', `func panic(any) {}\nfunc add(a, b int) int { if a == 1 { return 3 }; return 0 }`],
    ['is left out of the build', `//go:build never\n\n// Package add adds.\n`],
  ];
  it.each(hostile)('does not pass when it %s', async (title, content, more = {}) => {
    const source = title.endsWith('build') ? `${content}package add\n${wrong}\n` : `package add\n\n${content}\n`;
    expect(await checkSource(source, testSource, more)).toMatchObject(failed);
  });

  it('does not pass when it redefines what the language names', async () => {
    const source = testSource.replace('add(1, 2); got != 3', 'add(1, 2) == 3; got != true').replace('%d', '%v');
    const content =
      'package add\n\nconst true = false\n\nfunc add(a, b int) int { if a == 2 { return 4 }; return 0 }\n';
    const report = await checkSource(content, source);
    expect(report).toMatchObject({ result: 'notMet', evidence: expect.stringContaining('true already declared') });
  });

  it('is shown what failed', async () => {
    expect(
      await checkSource('package add\n\nfunc add(a, b int) int { if a == 2 { return 4 }; return 0 }\n'),
    ).toMatchObject({
      summary: '1 tests passed, 1 failed, 0 were skipped.',
      evidence: expect.stringContaining('got 0'),
    });
  });
});

describe('a Go gate', () => {
  it.each([
    ['that holds no test is not a pass', 'package add', 'notMet', 'There was no test to run.'],
    [
      'without a package is not evaluated',
      'func TestA(t *testing.T) {}',
      'notEvaluated',
      'do not begin with a package',
    ],
  ])('%s', async (_title, source, result, summary) => {
    expect(await checkSource(`package add\n${wrong}`, source)).toMatchObject({
      result,
      summary: expect.stringContaining(summary),
    });
  });

  it('needs a file of Go', async () => {
    await using workspace = await createCheckedWorkspace({ 'a.txt': '' });
    const report = await workspace.check({ kind: 'goTest', files: ['a.txt'], testSource });
    expect(report).toMatchObject({ result: 'notEvaluated', summary: 'No file of the subject is one of Go.' });
  });

  it.skipIf(!hasGo)('that holds only skipped tests is not a pass (needs go)', async () => {
    const source = 'package add\nimport "testing"\nfunc TestA(t *testing.T) { t.SkipNow() }\n';
    const report = await checkSource(`package add\n${wrong}`, source);
    expect(report).toMatchObject({ result: 'notMet', summary: 'There was no test to run; 1 were skipped.' });
  });

  it('leaves the question open when Go itself does not work', async () => {
    const sandbox = createFailingSandbox('go: cannot find GOROOT directory');
    await using workspace = await createCheckedWorkspace({ 'add.go': `package add\n${wrong}` }, { sandbox });
    const report = await workspace.check({ kind: 'goTest', files: ['add.go'], testSource });
    expect(report).toMatchObject({ result: 'notEvaluated', evidence: expect.stringContaining('GOROOT') });
  });
});
