import { describe, expect, it } from 'vitest';
import { findSystemProgram } from '../../src/engine/process/find-system-program.ts';
import { checkIsolation, createCheckedWorkspace, createFailingSandbox } from '../support/checked-workspace.ts';

const hasPython = findSystemProgram('python3') !== null;
if (!hasPython) console.log('SKIPPED: the tests of the Python gate need python3, which is not on this machine');

const testSource = `
import unittest
from src.add import add

class Adding(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(1, 2), 3)

    def test_again(self):
        self.assertEqual(add(2, 2), 4)
`;

async function checkSource(content: string, source = testSource, more: Readonly<Record<string, string>> = {}) {
  const files = { 'src/add.py': content, ...more };
  await using workspace = await createCheckedWorkspace(files);
  return await workspace.check({ kind: 'pythonTest', files: Object.keys(files), testSource: source });
}

describe.skipIf(!hasPython)('a Python subject that is right (needs python3)', () => {
  it.each([
    ['a plain module', 'def add(a, b): return a + b'],
    [
      'one that prints',
      'import sys\nprint("hello", flush=True)\nprint("word", file=sys.stderr)\ndef add(a, b): return a + b',
    ],
    [
      'one that uses the library, unittest included',
      `import collections, contextlib, dataclasses, enum, logging, threading, unittest
Pair = collections.namedtuple('Pair', 'a b')
@contextlib.contextmanager
def nothing(): yield
class Mine(unittest.TestCase):
    def test_mine(self): self.fail()
def add(a, b):
    logging.getLogger('x').warning('adding')
    with nothing(), contextlib.suppress(KeyError):
        return sum(Pair(a, b))
threading.Thread(target=threading.Event().wait).start()`,
    ],
  ])('passes: %s', async (_title, content) => {
    expect(await checkSource(content)).toEqual({
      result: 'met',
      summary: '2 tests passed, 0 failed, 0 were skipped.',
      evidence: expect.any(String),
      isolation: checkIsolation,
    });
  });

  it('lets tests use fixtures, subtests, mocks, coroutines and expected failures', async () => {
    const source = `
from __future__ import annotations
import logging, unittest, warnings
from dataclasses import dataclass
from unittest import IsolatedAsyncioTestCase, mock
import src.add

@dataclass
class Case:
    a: int
    b: int

def setUpModule(): src.add.prepared = 'module'
def tearDownModule(): assert src.add.prepared == 'class'

class Adding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        assert src.add.prepared == 'module'
        src.add.prepared = 'class'
    def test_subtests(self):
        for case in [Case(1, 2), Case(2, 2)]:
            with self.subTest(case=case): self.assertEqual(src.add.add(case.a, case.b), case.a + case.b)
    def test_mocked(self):
        with mock.patch('src.add.add', return_value=7): self.assertEqual(src.add.add(1, 1), 7)
    def test_contexts(self):
        with self.assertRaises(ZeroDivisionError): 1 / 0
        with self.assertWarns(UserWarning): warnings.warn('w')
        with self.assertLogs('x') as logs: logging.getLogger('x').error('e')
        self.assertEqual(len(logs.output), 1)
    @unittest.expectedFailure
    def test_known(self): self.assertEqual(1, 2)
    @unittest.skip('later')
    def test_later(self): pass

class Later(IsolatedAsyncioTestCase):
    async def test_coroutine(self): self.assertEqual(src.add.add(1, 1), 2)
`;
    const report = await checkSource('def add(a, b): return a + b', source);
    expect(report).toMatchObject({ result: 'met', summary: '5 tests passed, 0 failed, 1 were skipped.' });
  });
});

/** Half right, so that a failure which nobody hears of would leave nothing but a pass. */
const wrong = 'def add(a, b): return 3';

/** Not for any other reason than that the tests did not pass. */
const failed = {
  result: 'notMet',
  summary: expect.stringMatching(
    /^[012] tests passed, [12] failed|^There was no test|did not run to their end|SIGKILL/,
  ),
};

describe.skipIf(!hasPython)('a Python subject that is wrong (needs python3)', () => {
  const hostile: [string, string, Record<string, string>?][] = [
    ['is just wrong', wrong],
    ['does not parse', 'def add(a, b): return ('],
    ['raises when it is loaded', `${wrong}\nraise ValueError("no")`],
    ['leaves when it is loaded', `${wrong}\nimport sys; sys.exit(0)`],
    ['leaves when it is called', 'import sys\ndef add(a, b): sys.exit(0)'],
    ['exits at once when it is loaded', `${wrong}\nimport os; os._exit(0)`],
    ['exits at once when it is called', 'import os\ndef add(a, b): os._exit(0)'],
    [
      'exits at once when it is called again',
      'import os\nn = []\ndef add(a, b): n.append(1); return a + b if len(n) < 2 else os._exit(0)',
    ],
    ['exits at the end', `${wrong}\nimport atexit, os; atexit.register(lambda: os._exit(0))`],
    ['kills itself', `${wrong}\nimport os, signal; os.kill(os.getpid(), signal.SIGKILL)`],
    ['interrupts the tests', 'def add(a, b): raise KeyboardInterrupt'],
    ['asks for the test to be skipped', 'import unittest\ndef add(a, b): raise unittest.SkipTest("later")'],
    [
      'replaces assertions',
      `import unittest
for name in dir(unittest.TestCase):
    if name.startswith('assert') or name == 'fail': setattr(unittest.TestCase, name, lambda *all, **more: None)
${wrong}`,
    ],
    [
      'replaces what runs the tests',
      `import unittest, unittest.case, unittest.result, unittest.suite
unittest.TestCase.run = lambda self, result=None: result.addSuccess(self)
unittest.TestResult.addFailure = unittest.TestResult.addError = unittest.TestResult.addSuccess
unittest.TestSuite.run = lambda self, result: result
${wrong}`,
    ],
    [
      'replaces the code of functions in place',
      `import unittest
unittest.TestCase.assertEqual.__code__ = (lambda self, first, second, msg=None: None).__code__
${wrong}`,
    ],
    [
      'replaces modules',
      `import sys, types
fake = types.ModuleType('unittest')
class TestCase:
    def assertEqual(self, *all): pass
fake.TestCase = TestCase
sys.modules['unittest'] = fake
${wrong}`,
    ],
    [
      'hooks imports',
      `import builtins, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.startswith('unittest'): raise SystemExit(0)
sys.meta_path.insert(0, Finder())
real = builtins.__import__
builtins.__import__ = lambda name, *all, **more: real('types' if name == 'unittest' else name, *all, **more)
for name in [name for name in sys.modules if name.startswith('unittest')]: del sys.modules[name]
${wrong}`,
    ],
    [
      'replaces the function that finds the methods of tests',
      `import builtins
real = builtins.getattr
builtins.getattr = lambda of, name, *more: (lambda: None) if str(name).startswith('test_') else real(of, name, *more)
${wrong}`,
    ],
    [
      'replaces every function that has a name',
      `import builtins
for name in ('isinstance', 'issubclass', 'hasattr', 'type', 'dict', 'len', 'exec', 'super'):
    setattr(builtins, name, lambda *all, **more: True)
${wrong}`,
    ],
    [
      'swallows failures in the context managers of the library',
      `import contextlib
contextlib._GeneratorContextManager.__exit__ = lambda *all: True
${wrong}`,
    ],
    ['hides what was raised', `import sys\nsys.exc_info = lambda: None\n${wrong}`],
    [
      'replaces the rest of what unittest is made of',
      `import difflib, functools, pprint, re, traceback, warnings, time
for module in (difflib, functools, pprint, re, traceback, warnings, time):
    for name in [name for name in vars(module) if not name.startswith('__')]: setattr(module, name, lambda *all, **more: None)
${wrong}`,
    ],
    [
      'prints what a pass looks like and exits',
      `${wrong}
import os, sys
print('..\\nRan 2 tests in 0.000s\\n\\nOK', file=sys.stderr, flush=True)
os._exit(0)`,
    ],
    [
      'reads the gate beside it to forge its verdict',
      `import hashlib, os, re, sys
for folder, _, names in os.walk('.'):
    for name in names:
        for word in re.findall('[0-9a-f]{32}', open(os.path.join(folder, name), errors='replace').read()):
            sys.stderr.write('\\n' + hashlib.sha256(('2 0 0 ' + word).encode()).hexdigest() + ' 2 0 0\\n')
sys.stderr.flush()
${wrong}
os._exit(0)`,
    ],
    [
      'takes the place of stderr and changes the verdict on its way',
      `import os, re
kept = os.dup(2)
reading, writing = os.pipe()
os.dup2(writing, 2)
if os.fork():
    os.dup2(kept, 2)
    os.close(writing)
    while chunk := os.read(reading, 65536):
        os.write(kept, re.sub(rb'([0-9a-f]{32,}) 1 1 0', rb'\\1 2 0 0', chunk))
    os._exit(0)
${wrong}`,
    ],
    [
      'brings files that would be loaded by themselves',
      wrong,
      {
        'unittest.py': 'class TestCase:\n    def assertEqual(self, *all): pass',
        'unittest/__init__.py': 'class TestCase:\n    def assertEqual(self, *all): pass',
        'contextlib.py': 'raise SystemExit(0)',
        'conftest.py': 'import os; os._exit(0)',
        'sitecustomize.py': 'import os; os._exit(0)',
        'usercustomize.py': 'import os; os._exit(0)',
        'json.py': 'import os; os._exit(0)',
        'a.pth': 'import os; os._exit(0)',
      },
    ],
    [
      'finds the class of the tests without importing it',
      `def all_below(kind):
    for each in type.__subclasses__(kind):
        yield each
        yield from all_below(each)
for each in all_below(object):
    if each.__name__ == 'TestCase': each.assertEqual = lambda *all: None
${wrong}`,
    ],
    [
      'brings tests of its own under the names of the contract',
      `import unittest
class Adding(unittest.TestCase):
    def test_small(self): pass
def load_tests(loader, tests, pattern): return unittest.TestSuite()
${wrong}`,
    ],
  ];
  it.each(hostile)('does not pass when it %s', async (_title, content, more = {}) => {
    expect(await checkSource(content, testSource, more)).toMatchObject(failed);
  });

  it('does not pass when the test takes every name from it', async () => {
    const content = `
class Fake:
    class TestCase:
        def assertEqual(self, *all): pass
unittest = Fake
def load_tests(loader, tests, pattern): return []
${wrong}`;
    const source = testSource.replace('import add', 'import *');
    expect(await checkSource(content, source)).toMatchObject(failed);
  });

  it('is shown what failed, with the line', async () => {
    const report = await checkSource(wrong);
    expect(report).toMatchObject({
      summary: '1 tests passed, 1 failed, 0 were skipped.',
      evidence: expect.stringMatching(/self\.assertEqual\(add\(2, 2\), 4\).*AssertionError: 3 != 4/s),
    });
  });
});

describe.skipIf(!hasPython)('a Python gate (needs python3)', () => {
  it.each([
    ['holds no test', 'import src.add'],
    ['holds functions alone', 'def test_a(): pass'],
    [
      'holds only skipped tests',
      "import unittest\n@unittest.skip('x')\nclass A(unittest.TestCase):\n    def test_a(self): pass",
    ],
    ['holds an empty class', 'import unittest\nclass A(unittest.TestCase): pass'],
    ['skips its module', "import unittest\nraise unittest.SkipTest('x')"],
    [
      'fails to prepare',
      'import unittest\nclass A(unittest.TestCase):\n    def setUp(self): 1 / 0\n    def test_a(self): pass',
    ],
    [
      'fails to prepare a class',
      'import unittest\nclass A(unittest.TestCase):\n    def setUpClass(): 1 / 0\n    def test_a(self): pass\nclass B(unittest.TestCase):\n    def test_b(self): pass',
    ],
    [
      'fails in a part of a test',
      'import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        with self.subTest(): self.fail()',
    ],
  ])('that %s is not a pass', async (_title, source) => {
    expect((await checkSource('', source)).result).toBe('notMet');
  });

  it('leaves the question open when Python itself does not work', async () => {
    const sandbox = createFailingSandbox("ModuleNotFoundError: No module named 'unittest'");
    await using workspace = await createCheckedWorkspace({ 'src/add.py': wrong }, { sandbox });
    const report = await workspace.check({ kind: 'pythonTest', files: ['src/add.py'], testSource });
    expect(report).toMatchObject({ result: 'notEvaluated', evidence: expect.stringContaining('No module named') });
  });
});
