import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { openTrialMemory } from './trial-memory.ts';

const setpriv = process.platform === 'linux' ? findHostHelper('setpriv') : null;

describe('the memory of trials', () => {
  it('knows in the next process what has worked in this one, and nothing else', () => {
    using place = createTemporaryDirectory();
    const home = join(place.path, 'home');
    const first = openTrialMemory(home);
    const before = first.hasWorked('bwrap');
    first.keep('bwrap');
    const next = openTrialMemory(home);
    expect([before, next.hasWorked('bwrap'), next.hasWorked('landlock')]).toEqual([false, true, false]);
    expect(statSync(join(home, 'sandbox-trials.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['of another boot, kernel or program', (text: string) => text.replace(/"key":"./, '"key":"?')],
    ['that was cut off', (text: string) => text.slice(0, 10)],
    ['of another shape', () => '[]'],
  ])('takes nothing from a file %s', (_what, change) => {
    using place = createTemporaryDirectory();
    openTrialMemory(place.path).keep('bwrap');
    const file = join(place.path, 'sandbox-trials.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(openTrialMemory(place.path).hasWorked('bwrap')).toBe(false);
  });

  it.skipIf(setpriv === null)('says nothing to a process that may do less (needs setpriv)', () => {
    using place = createTemporaryDirectory();
    openTrialMemory(place.path).keep('bwrap');
    const ask = [
      `import { openTrialMemory } from ${JSON.stringify(new URL('trial-memory.ts', import.meta.url).href)};`,
      `console.log(openTrialMemory(${JSON.stringify(place.path)}).hasWorked('bwrap'));`,
    ].join('\n');
    const node = [process.execPath, '--input-type=module', '-e', ask] as const;
    const run = (program: string, args: readonly string[]): string =>
      execFileSync(program, args, { encoding: 'utf8' }).trim();
    const [same, less] = [run(node[0], node.slice(1)), run(setpriv ?? '', ['--no-new-privs', '--', ...node])];
    expect([same, less]).toEqual(['true', 'false']);
  });

  it('does without a home that cannot be written', () => {
    using place = createTemporaryDirectory();
    place.write('file', '');
    const memory = openTrialMemory(join(place.path, 'file'));
    memory.keep('bwrap');
    expect(memory.hasWorked('bwrap')).toBe(true);
  });
});
