import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/.bin/tsc');

describe('the package, as another project sees it', () => {
  const consumer = mkdtempSync(join(tmpdir(), 'consumer-'));
  const installed = join(consumer, 'node_modules/io-studio-engine');

  beforeAll(() => {
    mkdirSync(installed, { recursive: true });
    copyFileSync(join(root, 'package.json'), join(installed, 'package.json'));
    symlinkSync(join(root, 'node_modules/zod'), join(consumer, 'node_modules/zod'));
    symlinkSync(join(root, 'node_modules/@types'), join(consumer, 'node_modules/@types'));
    writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(consumer, 'consumer.ts'),
      "import { createEngine } from 'io-studio-engine';\n\nexport const engine: number = createEngine;\n",
    );
    expect(compile(root, '-p', 'tsconfig.types.json', '--outDir', join(installed, 'out/types'))).toBe('');
  });
  afterAll(() => rmSync(consumer, { recursive: true }));

  it.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])('has types that a strict compiler resolves with %s', (moduleResolution, module) => {
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--types', 'node'];
    const output = compile(
      consumer,
      ...options,
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
      'consumer.ts',
    );
    // The one planted error shows that `createEngine` has a type of its own and not `any`.
    expect(output.split('\n').filter((line) => /^\S.*error/.test(line))).toEqual([
      expect.stringMatching(/^consumer\.ts\(3,14\): error TS2322: .* is not assignable to type 'number'\.$/),
    ]);
  });
});

function compile(directory: string, ...options: string[]): string {
  const { stdout, stderr } = spawnSync(compiler, options, { cwd: directory, encoding: 'utf8' });
  return stdout + stderr;
}
