import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOwnTag, toTag } from '../../process/owner-tag.ts';
import { readProcessIdentity } from '../../process/process-identity.ts';
import { startChild } from '../../process/start-child.ts';
import { readReservedNumbers } from './reserved-numbers.ts';
import { type IdentityPool, takeIdentity } from './take-identity.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const source = join(import.meta.dirname, 'take-identity.ts');
let locks = '';
beforeEach(() => {
  locks = mkdtempSync(join(tmpdir(), 'take-identity-'));
});
afterEach(() => rmSync(locks, { recursive: true, force: true }));

/** Numbers that no engine gives out by itself, so that others on this machine do not matter here. */
const poolOf = (count: number): IdentityPool => ({ locks, first: 60_101, last: 60_100 + count });

describe.runIf(isRoot)('an identity of a root engine (needs root)', () => {
  it('is a user and a group of a number that each live sandbox has alone', async () => {
    const taken = await Promise.all([1, 2, 3].map(() => takeIdentity(poolOf(3))));
    const numbers = taken.map((each) => [each?.uid, each?.gid, each?.isOwn]);
    expect(numbers.sort()).toEqual([60_101, 60_102, 60_103].map((number) => [number, number, false]));
  });

  it('is none when every number is taken, and there is one again when one was given back', async () => {
    const [first, second] = [await takeIdentity(poolOf(2)), await takeIdentity(poolOf(2))];
    const none = await takeIdentity(poolOf(2));
    await first?.[Symbol.asyncDispose]();
    const again = await takeIdentity(poolOf(2));
    expect({ second: second?.isOwn, none, again: again?.uid }).toEqual({
      second: false,
      none: null,
      again: first?.uid,
    });
  });

  it('is not given back twice, so that the next holder keeps it', async () => {
    const first = await takeIdentity(poolOf(1));
    await first?.[Symbol.asyncDispose]();
    const second = await takeIdentity(poolOf(1));
    await first?.[Symbol.asyncDispose]();
    expect({ second: second?.uid, third: await takeIdentity(poolOf(1)) }).toEqual({ second: 60_101, third: null });
  });

  it('comes from the range that is set aside for it, and leaves nothing behind', async () => {
    const identity = await takeIdentity();
    await identity?.[Symbol.asyncDispose]();
    expect(identity?.uid).toBeGreaterThanOrEqual(61_184);
    expect(identity?.uid).toBeLessThanOrEqual(65_519);
    expect(readdirSync('/run/io-studio-identities')).not.toContain(String(identity?.uid));
  });

  it.each([
    ['a user', { uid: 60_101, gid: 0 }, []],
    ['a group', { uid: 0, gid: 60_101 }, []],
    ['a supplementary group', { uid: 0, gid: 0 }, ['/usr/bin/setpriv', '--groups', '60101']],
  ])('is never a number that a process has as %s', async (_what, user, through) => {
    const argv = [...through, '/bin/sh', '-c', 'echo up; exec sleep 60'];
    const other = spawn(argv[0] ?? '', argv.slice(1), { ...user, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(other.stdout, 'data');
    const identity = await takeIdentity(poolOf(1));
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(identity).toBe(null);
  });

  it('stays taken while something still runs as it', async () => {
    const identity = await takeIdentity(poolOf(1));
    const survivor = spawn('/bin/sleep', ['60'], { uid: 60_101, gid: 60_101, stdio: 'ignore' });
    await identity?.[Symbol.asyncDispose]();
    const held = readdirSync(locks);
    survivor.kill('SIGKILL');
    await once(survivor, 'close');
    await identity?.[Symbol.asyncDispose]();
    expect({ held, left: readdirSync(locks) }).toEqual({ held: ['60101'], left: [] });
  });

  it('is none that a dead engine has held until that one was cleared away', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const lock = join(locks, '60101');
    mkdirSync(lock);
    writeFileSync(join(lock, toTag({ ...readProcessIdentity(), pid })), '');
    expect(await takeIdentity(poolOf(1))).toBe(null);
  });

  it('is taken over where a lock was only half taken away', async () => {
    mkdirSync(join(locks, '60101'));
    const identity = await takeIdentity(poolOf(1));
    expect([identity?.uid, readdirSync(join(locks, '60101'))]).toEqual([60_101, [readOwnTag()]]);
  });

  it('is had by one sandbox only, however many engines take and give back at once', async () => {
    const script = `
      import { takeIdentity } from '${source}';
      import { mkdirSync, rmdirSync } from 'node:fs';
      const pool = JSON.parse(process.argv[1]);
      let taken = 0;
      for (let round = 0; round < 15; round++) {
        const identity = await takeIdentity(pool);
        if (identity === null) continue;
        taken++;
        mkdirSync(pool.locks + '/in-use-' + identity.uid);
        await new Promise(setImmediate);
        rmdirSync(pool.locks + '/in-use-' + identity.uid);
        await identity[Symbol.asyncDispose]();
      }
      console.log(taken > 0 ? 'fine' : 'got none');`;
    const engines = [1, 2, 3, 4].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(poolOf(3))], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    expect(await Promise.all(engines.map(({ stdout }) => text(stdout)))).toEqual([
      'fine\n',
      'fine\n',
      'fine\n',
      'fine\n',
    ]);
    expect(readdirSync(locks)).toEqual([]);
  }, 60_000);

  it('leaves a child no other group and no capability', async () => {
    const identity = await takeIdentity(poolOf(1));
    const child = await startChild({
      argv: ['/bin/sh', '-c', 'grep -E "^(Uid|Gid|Groups|CapEff|CapPrm)" /proc/self/status'],
      directory: '/',
      environment: {},
      identity,
      descriptors: [],
    });
    if (child.kind === 'failed') throw new Error(child.reason);
    const status = (await text(child.stdout))
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
      .split('\n');
    const four = '60101 60101 60101 60101';
    const none = '0000000000000000';
    expect(status.map((line) => line.trim())).toEqual([
      `Uid: ${four}`,
      `Gid: ${four}`,
      'Groups:',
      `CapPrm: ${none}`,
      `CapEff: ${none}`,
    ]);
  });

  it('is its own for an engine of an ordinary user', () => {
    chmodSync(locks, 0o755);
    const script = `
      import { takeIdentity } from '${source}';
      await using identity = await takeIdentity();
      console.log(JSON.stringify(identity));`;
    const options = { uid: 60_105, gid: 60_106, cwd: '/', encoding: 'utf8' } as const;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
    expect(JSON.parse(printed)).toEqual({ uid: 60_105, gid: 60_106, isOwn: true });
  });
});

it('numbers of accounts and of their groups are reserved', () => {
  const passwd = join(locks, 'passwd');
  const group = join(locks, 'group');
  writeFileSync(passwd, 'root:x:0:0:root:/root:/bin/sh\nada:x:60101:60102::/home/ada:/bin/sh\n');
  writeFileSync(group, 'work:x:60103:ada\nbroken\n\n');
  const isReserved = readReservedNumbers([passwd, group, join(locks, 'missing')]);
  expect([60_101, 60_102, 60_103, 60_104].map(isReserved)).toEqual([true, true, true, false]);
});
