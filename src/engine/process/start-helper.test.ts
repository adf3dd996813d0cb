import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startHelper } from './start-helper.ts';

const start = (script: string, environment: Readonly<Record<string, string>> = {}) => {
  const helper = startHelper({ argv: [process.execPath, '-e', script], environment });
  if (helper === null) throw new Error('It could not be started');
  return helper;
};

describe('a helper', () => {
  it('answers what it is told, in the environment that it is given', async () => {
    const helper = start(
      `process.stdin.on('data', (data) => console.log(data + process.env.GIVEN + process.env.HOME))`,
      {
        GIVEN: ' yes ',
      },
    );
    helper.input.write('told');
    const [answer] = await once(helper.output, 'data');
    helper.end();
    expect(String(answer)).toBe('told yes undefined\n');
  });

  it('is ended though it would not end by itself, and can be ended twice', async () => {
    const helper = start('console.log(process.pid); setInterval(() => {}, 1000)');
    const [pid] = await once(helper.output, 'data');
    helper.end();
    helper.end();
    expect(await hasEnded(Number(pid))).toBe(true);
  });

  it('that does not exist has nothing to say', async () => {
    const helper = startHelper({ argv: ['/nowhere/helper'], environment: {} });
    helper?.output.resume();
    helper?.input.write('told');
    await once(helper?.output ?? process.stdin, 'close');
    helper?.end();
  });

  it('does not keep its process alive, and ends with it', async () => {
    const program = `
      const { startHelper } = await import(${JSON.stringify(new URL('./start-helper.ts', import.meta.url).href)});
      const helper = startHelper({ argv: [process.execPath, '-e', 'console.log(process.pid); process.stdin.resume()'], environment: {} });
      helper.output.on('data', (pid) => process.stdout.write(pid));
      setTimeout(() => {}, 1_000);
    `;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect([ran.status, await hasEnded(Number(ran.stdout))]).toEqual([0, true]);
  });
});

/** Asks until it is so: the system tells nobody but its parent. */
async function hasEnded(pid: number): Promise<boolean> {
  for (;;) {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    if (stdout.trim() === '' || stdout.startsWith('Z')) return true;
  }
}
