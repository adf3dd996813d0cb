// The example of the README is what people copy first: it compiles in a package of their own against the published types,
// and it runs, on the built engine, as it stands there.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../support/run-cli.ts';
import { startScriptedModelServer } from '../support/scripted-model-server.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '../..');

/** The first block of TypeScript under the heading "Embed …". */
function readExample(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, code] = /\n## Embed[^\n]*\n(?:(?!\n## )[\s\S])*?\n```ts\n([\s\S]*?)\n```/.exec(readme) ?? [];
  if (code === undefined) throw new Error('README.md has no ```ts block under a heading "## Embed …"');
  return code;
}

/** A package that depends on the engine and holds nothing but the example. */
function createConsumer(moduleResolution: 'nodenext' | 'bundler'): TemporaryDirectory {
  const place = createTemporaryDirectory();
  place.write('app/example.ts', readExample());
  place.write('app/package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const compilerOptions = {
    module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  place.write('app/tsconfig.json', JSON.stringify({ compilerOptions, files: ['example.ts'] }));
  mkdirSync(join(place.path, 'app/node_modules/@types'), { recursive: true });
  symlinkSync(root, join(place.path, 'app/node_modules/io-studio-engine'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(place.path, 'app/node_modules/@types/node'));
  return place;
}

describe('the example of the README', () => {
  it.each(['nodenext', 'bundler'] as const)('compiles in a package that resolves modules as %s', (resolution) => {
    using consumer = createConsumer(resolution);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const project = join(consumer.path, 'app/tsconfig.json');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('runs, and prints the events, the outcome and the tokens', async () => {
    using consumer = createConsumer('nodenext');
    await using server = await startScriptedModelServer([
      { calls: [{ tool: 'write_file', arguments: { path: 'greeting.txt', content: 'hello\n' } }] },
      { text: 'Written.' },
    ]);
    const child = spawn(process.execPath, ['example.ts'], {
      cwd: join(consumer.path, 'app'),
      env: {
        ...cleanEnvironment,
        IO_STUDIO_HOME: join(consumer.path, 'home'),
        OPENAI_BASE_URL: server.url,
        OPENAI_MODEL: 'scripted',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [exitCode] = await once(child, 'close');
    const lines = output.trimEnd().split('\n');
    expect({ exitCode, first: lines[0], last: lines.slice(-2) }).toEqual({
      exitCode: 0,
      first: '1 run-start',
      last: [expect.stringMatching(/^\d+ run-finish$/), 'met 70'],
    });
    expect(consumer.read('app/greeting.txt')).toBe('hello\n');
  });
});
