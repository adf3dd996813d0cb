import { once } from 'node:events';
import { expect, it } from 'vitest';
import { findProcessesOfUid } from './find-processes-of-uid.ts';
import { startChild } from './start-child.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const uid = 61_000;

it.runIf(isRoot)('the processes of a user are found wherever they went, and no others (needs root)', async () => {
  const child = await startChild({
    argv: ['/bin/sh', '-c', '(setsid env -i sleep 60 >/dev/null 2>&1 &); echo up; exec sleep 60'],
    directory: '/',
    environment: {},
    identity: { uid, gid: uid },
    descriptors: [],
  });
  if (child.kind === 'failed') throw new Error(child.reason);
  await once(child.stdout, 'data');
  const found = findProcessesOfUid(uid);
  for (const { pid } of found) process.kill(pid, 'SIGKILL');
  await child.exited;
  child.release();
  expect({ count: found.length, hasChild: found.some(({ pid }) => pid === child.pid) }).toEqual({
    count: 2,
    hasChild: true,
  });
  expect(findProcessesOfUid(uid + 1)).toEqual([]);
});
