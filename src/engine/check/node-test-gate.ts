// The script that stands between a Node subject and the verdict over it. It runs in the subject's process and before it,
// makes the test and assertion modules immutable, counts results, and says them with a word that only it knows. It is a
// text because it runs outside this program, from a directory of the gate's own.
import { gatePrefix } from './box-file.ts';

export const gateScript = `${gatePrefix}main.mjs`;
export const secretFile = `${gatePrefix}secret`;

/**
 * Started in place of the test file, which it loads. Its first test makes the runner start while the subject has not been
 * read yet, and gives access to the prototype that every test context shares. Results are counted where the runner emits
 * them, because the streams they pass later have methods that a subject can replace. The runner takes top-level tests in
 * their order, so the last one runs when the whole test file was read and each of its tests has its result.
 */
export const gateSource = `
import assert from 'node:assert';
import { readFileSync, unlinkSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import nodeTest from 'node:test';
import { fileURLToPath } from 'node:url';

const path = new URL('./${secretFile}', import.meta.url);
const secret = JSON.parse(readFileSync(path, 'utf8'));
unlinkSync(path);
const { word } = secret;
const testUrl = new URL('./' + secret.testFile, import.meta.url);
const testFile = fileURLToPath(testUrl);
const { freeze } = Object;
const { apply } = Reflect;
const write = writeSync;

let passed = 0;
let failed = 0;
let skipped = 0;
function count(type, data) {
  if (type === 'test:fail') failed++;
  else if (type === 'test:pass' && data.file === testFile && data.details.type !== 'suite') {
    if (data.skip !== undefined || data.todo !== undefined) skipped++;
    else passed++;
  }
}

const { push } = Readable.prototype;
let results;
Readable.prototype.push = function (...chunk) {
  if (chunk[0]?.type === 'test:pass') results = this;
  return apply(push, this, chunk);
};
let names = [];
await nodeTest('the gate is ready', (context) => {
  names = Object.keys(context.assert);
  freeze(Object.getPrototypeOf(context));
});
Readable.prototype.push = push;
const { emit } = results;
Object.defineProperty(results, 'emit', {
  value: function (type, data, ...rest) {
    count(type, data);
    return apply(emit, this, [type, data, ...rest]);
  },
});

const register = nodeTest.assert.register;
nodeTest.assert.register = (name, check) => {
  if (names.includes(name)) throw new Error('The assertion ' + name + ' exists.');
  register(name, check);
};
for (const value of [assert.strict, assert, nodeTest.assert, nodeTest, nodeTest.mock]) freeze(value);
freeze(assert.AssertionError.prototype);

await import(testUrl);
nodeTest('the gate is done', () => {
  write(2, '\\n' + word + ' ' + passed + ' ' + failed + ' ' + skipped + '\\n');
});
`;
