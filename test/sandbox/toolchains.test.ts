// The toolchains of this machine work in the sandbox that commands get here: a small project of each language passes its own
// tests, with no network, nothing to fetch, and nothing left beside its sources.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { createSandbox } from '../../src/engine/sandbox/select-sandbox.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';
import { findToolchains } from '../../src/engine/sandbox/toolchain/find-toolchains.ts';
import type { ToolchainName } from '../../src/engine/sandbox/toolchain/toolchain.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

interface Project {
  readonly name: ToolchainName;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
  /** What its output holds when its test really ran. */
  readonly proof: RegExp;
}

const projects: readonly Project[] = [
  {
    name: 'rust',
    files: {
      'Cargo.toml': '[package]\nname = "subject"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3) }\n',
    },
    argv: ['cargo', 'test', '--quiet'],
    proof: /1 passed/,
  },
  {
    name: 'node',
    files: {
      'subject.test.mjs': `import test from 'node:test';
import http from 'node:http';
import { Worker } from 'node:worker_threads';
test('loopback', async () => {
  const server = http.createServer((request, response) => response.end('x')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const response = await fetch('http://127.0.0.1:' + server.address().port);
  if ((await response.text()) !== 'x') throw new Error();
  server.close();
  server.closeAllConnections();
});
test('worker', () => new Promise((resolve) => new Worker('1', { eval: true }).on('exit', resolve)));
`,
    },
    argv: ['node', '--test', '--test-reporter=tap'],
    proof: /^# pass 2$/m,
  },
  {
    name: 'python',
    files: {
      'subject.py': 'value = 1\n',
      'test_subject.py': `import multiprocessing, os, subject, tempfile, unittest
def square(x): return x * x
class Test(unittest.TestCase):
    def test_pool(self):
        with multiprocessing.Pool(2) as pool: self.assertEqual(pool.map(square, [2, 3]), [4, 9])
    def test_temporary(self):
        with tempfile.NamedTemporaryFile() as file: file.write(b"1")
    def test_compiles_elsewhere(self):
        self.assertEqual(sorted(os.listdir()), ["subject.py", "test_subject.py"])
`,
    },
    argv: ['python3', '-m', 'unittest'],
    proof: /Ran 3 tests.*OK/s,
  },
  {
    name: 'go',
    files: {
      'go.mod': 'module subject\n\ngo 1.19\n',
      'subject_test.go': 'package subject\n\nimport "testing"\n\nfunc TestRuns(t *testing.T) { t.Log("ran") }\n',
    },
    argv: ['go', 'test', '-v', './...'],
    proof: /--- PASS: TestRuns/,
  },
  {
    name: 'java',
    files: {
      'Subject.java':
        'class Subject { public static void main(String[] a) { System.out.println(System.getProperty("user.home") + " ran"); } }\n',
    },
    argv: ['sh', '-c', 'javac -d . Subject.java && java Subject'],
    proof: / ran/,
  },
  {
    name: 'c',
    files: {
      'subject.c':
        '#include <pthread.h>\n#include <stdio.h>\nstatic void *f(void *x) { return x; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); puts("ran"); }\n',
    },
    argv: ['sh', '-c', 'cc -O2 -pthread subject.c -o subject && ./subject'],
    proof: /^ran$/m,
  },
];

const sandbox = createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts: [] })) });
const isolation = await sandbox.ready();
const installed = new Set<ToolchainName>(findToolchains().map(({ name }) => name));
/** The other enclosures have no loopback and no shared memory. */
const works = ({ name }: Project): boolean => isolation === 'bwrap' && installed.has(name);

describe('a toolchain in the sandbox', () => {
  for (const project of projects) {
    it.runIf(works(project))(`works: ${project.name} (needs bubblewrap and what it compiles with)`, async () => {
      const { files, argv, proof } = project;
      const list = Object.entries(files).map(
        ([path, text]) => ({ path, bytes: Buffer.from(text), mode: 0o644 }) as const,
      );
      const directory = { mode: 'ephemeral', files: list, collect: [] } as const;
      const spec = { argv, directory, environment: {}, limits: defaultLimits };
      const result = await sandbox.run(spec, new AbortController().signal);
      if (result.kind === 'not-started') throw new Error(result.reason);
      const { kind, stdout, stderr } = result;
      expect({ kind, code: kind === 'exit' ? result.code : null, output: stdout.text + stderr.text }).toEqual({
        kind: 'exit',
        code: 0,
        output: expect.stringMatching(proof),
      });
    });
  }
});

describe('what the person lets commands see', () => {
  it.runIf(isolation === 'bwrap')('is at its place, and cannot be written there (needs bubblewrap)', async () => {
    using place = createTemporaryDirectory();
    place.write('sdk/version', '7\n');
    const mounts = [{ source: join(realpathSync(place.path), 'sdk'), target: '/opt/sdk' }];
    const shown = createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts })) });
    const argv = ['sh', '-c', 'cat /opt/sdk/version; echo 8 > /opt/sdk/version'] as const;
    const directory = { mode: 'ephemeral', files: [], collect: [] } as const;
    const spec = { argv, directory, environment: {}, limits: defaultLimits };
    expect(await shown.run(spec, new AbortController().signal)).toMatchObject({
      kind: 'exit',
      code: 2,
      stdout: { text: '7\n' },
      stderr: { text: expect.stringContaining('Read-only') },
    });
    expect(place.read('sdk/version')).toBe('7\n');
  });
});
