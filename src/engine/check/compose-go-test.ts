// Puts a gate beside the tests of a contract in such a way that the subject cannot speak for them. One test of the gate's
// own runs all of them, counts each when it is over, and signs the count with a word that nothing else is compiled with.
// What the language itself names cannot be redefined by the subject: an import of that name would stand in its way.
import { randomBytes } from 'node:crypto';
import type { BoxFile } from '../sandbox/sandbox.ts';
import { gatePrefix, toBoxFile } from './box-file.ts';
import type { GoTests } from './read-go-tests.ts';

export interface GoGate {
  readonly files: readonly BoxFile[];
  /** What only the gate and whoever reads its count know. */
  readonly word: string;
  /** What the runner prints before the name of each test of the contract. */
  readonly testPrefix: string;
}

/** The files of the gate for tests that stand in `directory`; their package is known. */
export function composeGoTest(
  tests: GoTests & { readonly packageName: string },
  source: string,
  directory: string,
): GoGate {
  const word = randomBytes(16).toString('hex');
  const tag = randomBytes(12).toString('hex');
  const file = (text: string): BoxFile =>
    toBoxFile(`${directory}/${gatePrefix}${randomBytes(8).toString('hex')}_test.go`.replace(/^\.\//, ''), text);
  const taken = predeclared.filter((name) => tests.words.has(name));
  return {
    files: [file(source), file(toRunner(tests, word, tag)), file(toGuard(tests.packageName, taken))],
    word,
    testPrefix: `TestGate_${tag}/all/`,
  };
}

function toRunner({ packageName, names }: GoTests, word: string, tag: string): string {
  return `package ${packageName}

import (
	fmt_${tag} "fmt"
	hash_${tag} "crypto/sha256"
	os_${tag} "os"
	sync_${tag} "sync"
	testing_${tag} "testing"
)

func TestGate_${tag}(t *testing_${tag}.T) {
	var lock sync_${tag}.Mutex
	passed, failed, skipped := 0, 0, 0
	t.Run("all", func(t *testing_${tag}.T) {
		run := func(name string, test func(*testing_${tag}.T)) {
			t.Run(name, func(t *testing_${tag}.T) {
				t.Cleanup(func() {
					lock.Lock()
					defer lock.Unlock()
					switch {
					case t.Failed():
						failed++
					case t.Skipped():
						skipped++
					default:
						passed++
					}
				})
				test(t)
			})
		}
${names.map((name) => `\t\trun("${name}", ${name})`).join('\n')}
	})
	numbers := fmt_${tag}.Sprintf("%d %d %d", passed, failed, skipped)
	fmt_${tag}.Fprintf(os_${tag}.Stderr, "\\n%x %s\\n", hash_${tag}.Sum256([]byte(numbers+" ${word}")), numbers)
}
`;
}

/** An identifier may not stand for an import of one file and for something else in its package. */
function toGuard(packageName: string, names: readonly string[]): string {
  const imports = names.map((name) => `import ${name} "unsafe"\n`).join('');
  return `package ${packageName}\n\n${imports}\n${names.map((name) => `var _ ${name}.Pointer\n`).join('')}`;
}

/** Those alone that are as old as the language: programs have always had a `max` of their own. */
const predeclared = (
  'append bool byte cap close complex complex128 complex64 copy delete error false float32 float64 imag int int16 int32 ' +
  'int64 int8 iota len make new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr'
).split(' ');
