import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { limitCommand } from './limit-command.ts';

const limits = { cpuMs: 1500, fileBytes: 4096, processes: 7 };
const odd = ['$(touch bad)', '"; exit 9; "', '', 'a b', '-x', '*', '--'];

async function run([program, ...rest]: readonly [string, ...string[]]): Promise<string> {
  return (await promisify(execFile)(program, rest)).stdout;
}

const find = (names: readonly string[]) => (name: string) => (names.includes(name) ? `/usr/bin/${name}` : null);
const helpers: [string, string[]][] = [
  ['setpriv and prlimit', ['setpriv', 'prlimit']],
  ['prlimit', ['prlimit']],
  ['the shell alone', []],
];

describe('a limited command', () => {
  it.each(helpers)('is given every argument as it is by %s', async (_title, names) => {
    const argv = limitCommand(['/usr/bin/printf', '<%s>', ...odd], limits, find(names));
    expect(await run(argv)).toBe(odd.map((word) => `<${word}>`).join(''));
  });

  it.each(helpers)('has processor time and the size of files limited by %s', async (_title, names) => {
    const asked = 'ulimit -S -t; ulimit -H -t; ulimit -f';
    const argv = limitCommand(['/bin/sh', '-c', asked], { ...limits, processes: null }, find(names));
    expect(await run(argv)).toBe('2\n3\n8\n');
  });

  it('has the number of processes limited where that counts its own alone, and can gain no rights', () => {
    expect(limitCommand(['/bin/true'], limits, find(['setpriv', 'prlimit']))).toEqual([
      ...['/usr/bin/setpriv', '--no-new-privs', '--', '/usr/bin/prlimit', '--core=0', '--nofile=4096'],
      ...['--cpu=2:3', '--fsize=4096', '--nproc=71', '--', '/bin/true'],
    ]);
  });

  it('has no limit that is not set', () => {
    const none = { cpuMs: null, fileBytes: null, processes: null };
    expect(limitCommand(['/bin/true'], none, find([]))).toEqual(['/bin/sh', '-c', 'exec "$@"', 'sh', '/bin/true']);
  });

  it('is started also where tighter limits hold already', async () => {
    const argv = limitCommand(['/bin/echo', 'ran'], { ...limits, processes: null }, find([]));
    const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    expect(await run(['/bin/sh', '-c', `ulimit -t 1; ulimit -f 1; ${words}`])).toBe('ran\n');
  });
});
