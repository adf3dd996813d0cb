import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { layBait } from './bait.ts';
import { findEscape, parseReached, type Reached, toEscapeAttempt } from './self-test.ts';

const perl = findHostHelper('perl');
const nothing: Reached = { user: 1000, file: false, port: false, process: false, kernel: false };

describe('a command that tries to get out', () => {
  it.runIf(perl !== null && process.platform === 'linux')(
    'gets at everything where nothing encloses it (needs perl, Linux)',
    async () => {
      await using bait = await layBait();
      const [program, ...args] = toEscapeAttempt(perl ?? '', bait);
      const ran = spawnSync(program, args, { encoding: 'utf8', env: {} });
      const user = process.getuid?.() ?? -1;
      expect([ran.stderr, parseReached(ran.stdout)]).toEqual([
        '',
        { user, file: true, port: true, process: true, kernel: user === 0 },
      ]);
    },
  );

  it.runIf(perl !== null)('says so of each thing that it cannot get at (needs perl)', async () => {
    const bait = await layBait();
    const attempt = toEscapeAttempt(perl ?? '', { ...bait, process: { pid: process.pid, startTime: 1 } });
    await bait[Symbol.asyncDispose]();
    const ran = spawnSync(attempt[0], attempt.slice(1), { encoding: 'utf8', env: {} });
    expect(parseReached(ran.stdout)).toMatchObject({ file: false, port: false, process: false });
  });
});

describe('what it printed', () => {
  it.each([
    '',
    'user 0\n',
    'user x\nfile no\nport no\nprocess no\nkernel no\n',
    'user 1\nfile maybe\nport no\nprocess no\nkernel no\n',
  ])('is nothing when it is %j', (output) => {
    expect(parseReached(output)).toBeNull();
  });
});

describe('an escape', () => {
  it.each<[keyof Reached, string]>([
    ['file', 'can read files outside its directory'],
    ['port', 'can connect to ports of this machine'],
    ['process', 'can see processes of this machine'],
    ['kernel', 'can change settings of the kernel'],
  ])('from bwrap is whatever it can get at: %s', (thing, words) => {
    expect([findEscape('bwrap', nothing), findEscape('bwrap', { ...nothing, [thing]: true })]).toEqual([null, words]);
  });

  it.each(['landlock', 'seatbelt'] as const)(
    'from %s is no sight of processes, which it does not hide',
    (isolation) => {
      expect([
        findEscape(isolation, { ...nothing, process: true }),
        findEscape(isolation, { ...nothing, file: true }),
      ]).toEqual([null, 'can read files outside its directory']);
    },
  );

  it('from the floor is only to be the superuser', () => {
    const all = { user: 1000, file: true, port: true, process: true, kernel: true };
    expect([findEscape('none', all), findEscape('none', { ...all, user: 0 })]).toEqual([null, 'runs as the superuser']);
  });
});

describe('bait', () => {
  it('is gone when it is disposed of, and can be disposed of twice', async () => {
    const bait = await layBait();
    await bait[Symbol.asyncDispose]();
    await bait[Symbol.asyncDispose]();
    expect(() => rmSync(bait.file)).toThrow('ENOENT');
  });
});
