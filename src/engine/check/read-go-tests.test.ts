import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGoTests } from './read-go-tests.ts';

describe('reading a Go test file', () => {
  it('finds its package, its tests and its words, and nothing in comments or texts', () => {
    const source = `// package no
/* func TestNo(t *testing.T) {} */
package add_test

import "testing"

func TestMain(m *testing.M) {}
func TestAdd(t *testing.T) { _ = "func TestText(t *testing.T)" }
func Test_more( t  * testing.T ) { _ = \`
func TestRaw(t *testing.T) {}
\` + string('"') + "\\"" }
func Testing(t *testing.T) {}
func TestÄ(t *testing.T) {}
func (s suite) TestMethod(t *testing.T) {}
func TestHelper(t *testing.T, more int) {}
`;
    const { packageName, names, words } = readGoTests(source);
    expect({ packageName, names }).toEqual({ packageName: 'add_test', names: ['TestAdd', 'Test_more', 'TestÄ'] });
    expect(['string', 'int', 'no', 'TestText'].map((word) => words.has(word))).toEqual([true, true, false, false]);
  });

  it.each(['', '// package a', '"package a"', 'func TestA(t *testing.T) {}'])('finds no package in %j', (source) => {
    expect(readGoTests(source).packageName).toBeNull();
  });

  it('reads anything', () => {
    const pieces = fc.constantFrom('/*', '*/', '//', '"', "'", '`', '\\', '\n', 'func TestA(t *testing.T) {}', ' ');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const { names } = readGoTests(`package a\n${parts.join('')}`);
        expect(new Set([...names, 'TestA'])).toEqual(new Set(['TestA']));
      }),
    );
  });
});
