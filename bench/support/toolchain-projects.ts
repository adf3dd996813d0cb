// A small project of each language with a test of its own, as agents run them all day.
import type { ToolchainName } from '../../src/engine/sandbox/toolchain/toolchain.ts';

export interface ToolchainProject {
  readonly label: string;
  readonly needs: ToolchainName;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
}

export const toolchainProjects: readonly ToolchainProject[] = [
  {
    label: 'cargo test',
    needs: 'rust',
    files: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub fn sum(values: &[i64]) -> i64 {
    values.iter().sum()
}

#[test]
fn sums() {
    assert_eq!(sum(&[1, 2, 3]), 6);
}
`,
    },
    argv: ['cargo', 'test', '--quiet'],
  },
  {
    label: 'node --test',
    needs: 'node',
    files: {
      'sum.mjs': 'export const sum = (values) => values.reduce((one, other) => one + other, 0);\n',
      'sum.test.mjs': `import assert from 'node:assert';
import test from 'node:test';
import { sum } from './sum.mjs';
test('sums', () => assert.equal(sum([1, 2, 3]), 6));
`,
    },
    argv: ['node', '--test'],
  },
  {
    label: 'python3 -m unittest',
    needs: 'python',
    files: {
      'test_sum.py': `import unittest

class Sum(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(sum([1, 2, 3]), 6)
`,
    },
    argv: ['python3', '-m', 'unittest'],
  },
  {
    label: 'cc, and what it made',
    needs: 'c',
    files: {
      'sum.c': `#include <stdio.h>
int main(void) {
    int values[] = {1, 2, 3}, sum = 0;
    for (int index = 0; index < 3; index++) sum += values[index];
    printf("%d\\n", sum);
    return sum != 6;
}
`,
    },
    argv: ['sh', '-c', 'cc -O2 sum.c -o sum && ./sum'],
  },
];
