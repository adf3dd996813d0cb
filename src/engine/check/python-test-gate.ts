// The script that stands between a Python subject and the verdict over it. It runs in the subject's process and before it:
// the tests get a unittest that no other module can import, over built-in functions that no other module can replace, and
// what came of them is signed with a word that only this script knows. It is a text because it runs outside this program.
import { gatePrefix } from './box-file.ts';

export const gateScript = `${gatePrefix}main.py`;
export const secretFile = `${gatePrefix}secret`;

/**
 * `contextlib` is kept to the tests as well, because unittest sees a failure through one of its context managers. Results
 * are counted before anything is done with them, and a test that was started and reported nothing has failed. What the
 * machinery consists of is compared at the end, for a subject that found it without importing it.
 */
export const gateSource = `
import builtins
import sys
import types


def gate(sys, types, own):
    import hashlib, json, linecache, os, traceback
    from importlib.machinery import PathFinder

    place = os.path.dirname(os.path.abspath(sys.argv[0]))
    path = os.path.join(place, '${secretFile}')
    with open(path, encoding='utf-8') as file:
        secret = json.load(file)
    os.unlink(path)
    word, source = secret['word'], secret['source']
    sha256, write, leave, streams = hashlib.sha256, os.write, os._exit, (sys.stdout, sys.stderr)
    format_exception = traceback.format_exception

    class OwnLoader:
        def __init__(self, loader):
            self.loader = loader

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            module.__dict__['__builtins__'] = own
            exec(self.loader.get_code(module.__name__), module.__dict__)

    class OwnFinder:
        def find_spec(self, name, path=None, target=None):
            if not is_kept(name):
                return None
            spec = PathFinder.find_spec(name, path)
            spec.loader = OwnLoader(spec.loader)
            return spec

    def is_kept(name):
        return name.partition('.')[0] in ('contextlib', 'unittest')

    def take_modules():
        return {name: sys.modules.pop(name) for name in list(sys.modules) if is_kept(name)}

    earlier = take_modules()
    finder = OwnFinder()
    sys.meta_path.insert(0, finder)
    import contextlib, unittest, unittest.async_case, unittest.mock
    unittest.IsolatedAsyncioTestCase
    sys.meta_path.remove(finder)
    kept = take_modules()
    sys.modules.update(earlier)

    count = {'passed': 0, 'failed': 0, 'skipped': 0}

    def fail(error):
        count['failed'] += 1
        try:
            write(2, ''.join(format_exception(*error)).encode('utf-8', 'replace'))
        except BaseException:
            pass

    class Result(unittest.TestResult):
        reports = 0

        def startTest(self, test):
            self.reports = 0

        def stopTest(self, test):
            if self.reports == 0:
                count['failed'] += 1

        def take(self, name):
            self.reports += 1
            count[name] += 1

        def addSuccess(self, test):
            self.take('passed')

        def addExpectedFailure(self, test, error):
            self.take('passed')

        def addSkip(self, test, reason):
            self.take('skipped')

        def addUnexpectedSuccess(self, test):
            self.take('failed')

        def addError(self, test, error):
            self.reports += 1
            fail(error)

        def addFailure(self, test, error):
            self.reports += 1
            fail(error)

        def addSubTest(self, test, subtest, error):
            if error is not None:
                self.reports += 1
                fail(error)

    watched = [
        value
        for module in (unittest.case, unittest.suite, unittest.result, contextlib)
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ] + [Result]

    def describe():
        return [
            (name, value, getattr(value, '__code__', None))
            for each in watched
            for name, value in vars(each).items()
        ]

    def is_same(one, other):
        return len(one) == len(other) and all(
            a[0] == b[0] and a[1] is b[1] and a[2] is b[2] for a, b in zip(one, other)
        )

    load_module = own['__import__']

    def load(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and name in kept and name.startswith('unittest'):
            return kept[name] if fromlist else unittest
        return load_module(name, globals, locals, fromlist, level)

    def run_tests():
        name = 'io_studio_gate_tests'
        module = types.ModuleType(name)
        module.__file__ = os.path.join(place, name + '.py')
        module.__dict__['__builtins__'] = {**own, '__import__': load}
        linecache.cache[module.__file__] = (len(source), None, source.splitlines(True), module.__file__)
        sys.modules[name] = types.ModuleType(name)
        sys.path.insert(0, place)
        exec(compile(source, module.__file__, 'exec', dont_inherit=True), module.__dict__)
        cases = {
            value: None
            for value in module.__dict__.values()
            if isinstance(value, type) and issubclass(value, unittest.TestCase)
        }
        loader = unittest.TestLoader()
        prepare, tidy = (module.__dict__.get(each) for each in ('setUpModule', 'tearDownModule'))
        if prepare is not None:
            prepare()
        unittest.TestSuite([loader.loadTestsFromTestCase(case) for case in cases]).run(Result())
        if tidy is not None:
            tidy()

    before = describe()
    try:
        run_tests()
    except BaseException as error:
        fail((type(error), error, error.__traceback__))
    if not is_same(before, describe()):
        count['failed'] += 1
        write(2, b'The subject has changed what the tests run on.\\n')
    for stream in streams:
        try:
            stream.flush()
        except BaseException:
            pass
    numbers = '%d %d %d' % (count['passed'], count['failed'], count['skipped'])
    mark = sha256((numbers + ' ' + word).encode()).hexdigest()
    write(2, ('\\n' + mark + ' ' + numbers + '\\n').encode())
    leave(0)


run = types.FunctionType(gate.__code__, {'__builtins__': dict(vars(builtins)), '__name__': 'gate'})
sys.modules['__main__'] = types.ModuleType('__main__')
run(sys, types, dict(vars(builtins)))
`;
