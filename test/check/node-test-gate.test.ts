import { readdirSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkIsolation, createCheckedWorkspace, createFailingSandbox } from '../support/checked-workspace.ts';

const testSource = `
import test from 'node:test';
import assert from 'node:assert/strict';
import { add } from './src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
test('adds with the context', (t) => t.assert.equal(add(2, 2), 4));
`;

async function checkSource(content: string, source = testSource) {
  await using workspace = await createCheckedWorkspace({ 'src/add.js': content });
  return await workspace.check({ kind: 'nodeTest', files: ['src/add.js'], testSource: source });
}

describe('a Node subject that is right', () => {
  const right = [
    ['an ES module', 'export const add = (a, b) => a + b;'],
    ['a CommonJS module', 'exports.add = (a, b) => a + b;'],
    ['one that prints', 'console.log("hello"); console.error("\\n\\nword"); export const add = (a, b) => a + b;'],
  ];
  it.each(right)('passes: %s', async (_title, content) => {
    expect(await checkSource(content)).toEqual({
      result: 'met',
      summary: '2 tests passed, 0 failed, 0 were skipped.',
      evidence: expect.stringContaining('adds with the context'),
      isolation: checkIsolation,
    });
  });
});

it('lets a Node test use suites, hooks, subtests and mocks', async () => {
  const report = await checkSource(
    'export const add = (a, b) => a + b;',
    `import { beforeEach, describe, it, mock } from 'node:test';
     import { strictEqual } from 'node:assert';
     import { add } from './src/add.js';
     describe('adding', () => {
       let calls = 0;
       beforeEach(() => { calls++; });
       it('adds', async (t) => { await t.test('inside', () => strictEqual(add(Number(calls > 0), 1), 2)); });
       it('is mocked', (t) => { const fake = mock.fn(add); fake(1, 2); t.assert.equal(fake.mock.callCount(), 1); });
       it.skip('later', () => {});
     });`,
  );
  expect(report).toMatchObject({ result: 'met', summary: '3 tests passed, 0 failed, 1 were skipped.' });
});

const wrong = 'export const add = () => 0;';

/** One test each, so that an attack on one way to assert is not covered up by another that still works. */
const sources = {
  module: `import test from 'node:test'; import assert from 'node:assert/strict'; import { add } from './src/add.js';
    test('adds', () => assert.equal(add(1, 2), 3));`,
  context: `import test from 'node:test'; import { add } from './src/add.js';
    test('adds', (t) => t.assert.equal(add(1, 2), 3));`,
  two: `import test from 'node:test'; import assert from 'node:assert/strict'; import { add } from './src/add.js';
    test('adds', { timeout: 9000 }, () => assert.equal(add(1, 2), 3));
    test('adds again', { timeout: 9000 }, () => assert.equal(add(2, 2), 4));`,
  late: `import test from 'node:test'; import assert from 'node:assert/strict';
    test('begins', () => assert.ok(true));
    const { add } = await import('./src/add.js');
    test('adds', () => assert.equal(add(1, 2), 3));`,
} as const;

describe('a Node subject that is wrong', () => {
  const hostile: [string, string, keyof typeof sources][] = [
    ['is just wrong', wrong, 'module'],
    ['does not parse', 'export const add = (', 'module'],
    ['throws when it is loaded', `${wrong} throw new Error('no')`, 'module'],
    ['exits when it is loaded', `${wrong} process.exit(0)`, 'module'],
    ['exits when it is called', 'export const add = () => process.exit(0);', 'module'],
    [
      'exits when it is called again',
      'let n = 0; export const add = (a, b) => (n++ ? process.exit(0) : a + b);',
      'two',
    ],
    ['sets the exit code at the end', `${wrong} process.on('exit', () => { process.exitCode = 0; });`, 'module'],
    ['never lets the test begin', `${wrong} await new Promise(() => {});`, 'module'],
    [
      'replaces assertions',
      `import assert from 'node:assert/strict'; try { assert.equal = () => {}; } catch {} ${wrong}`,
      'module',
    ],
    [
      'replaces exports of built-in modules',
      `import module from 'node:module'; import { createRequire } from 'node:module';
       const require = createRequire(import.meta.url);
       for (const name of ['equal', 'strictEqual', 'ok']) try { require('node:assert/strict')[name] = () => {}; } catch {}
       try { require('node:test').test = () => {}; } catch {}
       try { require('node:test').default = () => {}; } catch {}
       module.syncBuiltinESMExports(); ${wrong}`,
      'module',
    ],
    [
      'registers an assertion over a built-in one',
      `import test from 'node:test'; try { test.assert.register('equal', () => {}); } catch {} ${wrong}`,
      'context',
    ],
    [
      'changes the context of tests by a test of its own',
      `import test from 'node:test';
       await test('mine', (t) => { Object.defineProperty(Object.getPrototypeOf(t), 'assert', { value: { equal() {} } }); });
       ${wrong}`,
      'context',
    ],
    [
      'prints what a pass looks like and exits',
      `console.log('✔ adds\\nℹ tests 2\\nℹ pass 2\\nℹ fail 0'); ${wrong} process.exit(0)`,
      'module',
    ],
    [
      'reads the gate beside it to forge its verdict',
      `import { readdirSync, readFileSync, statSync } from 'node:fs';
       for (const name of readdirSync('.').filter((name) => statSync(name).isFile())) {
         for (const [word] of readFileSync(name, 'utf8').matchAll(/[0-9a-f]{32}/g)) {
           console.error('\\n' + word + '{"ready":true,"passed":1,"failed":0,"skipped":0}');
         }
       }
       ${wrong} process.exit(0);`,
      'module',
    ],
    [
      'catches what is written to stderr',
      `import fs from 'node:fs'; import module from 'node:module';
       const write = process.stderr.write; const writeSync = fs.writeSync;
       const turn = (text) => String(text).replace('"passed":0,"failed":1', '"passed":1,"failed":0');
       process.stderr.write = (text, ...rest) => write.call(process.stderr, turn(text), ...rest);
       fs.writeSync = (descriptor, text) => writeSync(descriptor, turn(text));
       module.syncBuiltinESMExports();
       process.on('exit', () => { process.exitCode = 0; }); ${wrong}`,
      'module',
    ],
    [
      'marks every test but the first as skipped',
      `let reads = 0;
       try { Object.defineProperty(Object.prototype, 'skip', { get: () => reads++ > 0 }); } catch {}
       export const add = (a, b) => (a === 1 ? 3 : 0);`,
      'two',
    ],
    [
      'marks every test but the first as still to do',
      `let reads = 0;
       try { Object.defineProperty(Object.prototype, 'todo', { get: () => reads++ > 0 }); } catch {}
       export const add = (a, b) => (a === 1 ? 3 : 0);`,
      'two',
    ],
    [
      'stops the test file in its middle and sets the exit code at the end',
      `${wrong} process.on('exit', () => { process.exitCode = 0; }); await new Promise(() => {});`,
      'late',
    ],
    ...(['read', 'push'] as const).map((method): [string, string, keyof typeof sources] => [
      `turns failures into passes on their way through a stream's ${method}`,
      `import { Readable } from 'node:stream';
       const method = Readable.prototype.${method};
       const turn = (chunk) => { if (chunk?.type === 'test:fail') chunk.type = 'test:pass'; return chunk; };
       Readable.prototype.${method} = function (chunk) { return turn(method.call(this, turn(chunk))); };
       process.on('exit', () => { process.exitCode = 0; });
       export const add = (a, b) => (a === 1 ? 3 : 0);`,
      'two',
    ]),
    ['kills itself', `${wrong} process.kill(process.pid, 'SIGKILL');`, 'module'],
  ];
  it.each(hostile)('does not pass when it %s', async (_title, content, source) => {
    expect((await checkSource(content, sources[source])).result).toBe('notMet');
  });

  it('is shown what failed', async () => {
    const report = await checkSource(wrong);
    expect(report).toMatchObject({
      summary: '0 tests passed, 2 failed, 0 were skipped.',
      evidence: expect.stringContaining('0 !== 3'),
    });
  });
});

describe('a Node gate', () => {
  it.each([
    ['holds no test', "import './src/add.js';"],
    ['holds only skipped tests', "import test from 'node:test'; test.skip('a', () => {}); test.todo('b');"],
    ['holds an empty suite', "import { describe } from 'node:test'; describe('a', () => {});"],
  ])('that %s is not a pass', async (_title, source) => {
    expect((await checkSource('export {};', source)).result).toBe('notMet');
  });

  it('takes no link for a file', async () => {
    await using workspace = await createCheckedWorkspace({ 'real.js': 'export const add = (a, b) => a + b;' });
    await symlink(workspace.path, join(workspace.path, 'src'));
    const report = await workspace.check({ kind: 'nodeTest', files: ['src/real.js'], testSource });
    expect(report).toMatchObject({ result: 'notMet', summary: 'src is a link; a gate takes regular files only.' });
  });

  it('names a file that is missing', async () => {
    await using workspace = await createCheckedWorkspace({});
    const report = await workspace.check({ kind: 'nodeTest', files: ['src/add.js'], testSource });
    expect(report).toMatchObject({ result: 'notMet', summary: 'There is no file src/add.js.' });
  });

  it('takes no file that passes for one of its own', async () => {
    await using workspace = await createCheckedWorkspace({ 'io-studio-gate-main.mjs': 'process.exit(0);' });
    const report = await workspace.check({ kind: 'nodeTest', files: ['io-studio-gate-main.mjs'], testSource });
    expect(report).toMatchObject({
      result: 'notEvaluated',
      summary: expect.stringContaining('gates keep for themselves'),
    });
  });

  it('takes a file once that is named twice', async () => {
    await using workspace = await createCheckedWorkspace({ 'src/add.js': 'export const add = (a, b) => a + b;' });
    const report = await workspace.check({ kind: 'nodeTest', files: ['src/add.js', './src/add.js'], testSource });
    expect(report.result).toBe('met');
  });

  it('leaves nothing in the workspace', async () => {
    const content = "import fs from 'node:fs'; fs.writeFileSync('left', ''); export const add = (a, b) => a + b;";
    await using workspace = await createCheckedWorkspace({ 'src/add.js': content });
    const report = await workspace.check({ kind: 'nodeTest', files: ['src/add.js'], testSource });
    expect([report.result, readdirSync(workspace.path)]).toEqual(['met', ['src']]);
  });

  it('leaves the question open when Node itself does not work', async () => {
    const sandbox = createFailingSandbox('node: bad option: --test-reporter');
    await using workspace = await createCheckedWorkspace({ 'src/add.js': wrong }, { sandbox });
    const report = await workspace.check({ kind: 'nodeTest', files: ['src/add.js'], testSource });
    expect(report).toMatchObject({ result: 'notEvaluated', evidence: expect.stringContaining('bad option') });
  });
});
