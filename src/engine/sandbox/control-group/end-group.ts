// Ends what runs in a control group, and removes the group. Whatever name is given: nothing but groups is touched.
import { rmdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { toErrorCode } from '../to-error-code.ts';
import { readField, tryWriteGroupFile } from './group-files.ts';

/** Every member and all that they start meanwhile, at once; nothing on kernels before 5.14, which cannot do that. */
export function endGroup(path: string): void {
  tryWriteGroupFile(path, 'cgroup.kill', '1');
}

/** Also when there is none. Those that have ended and wait for their parents are in it no more. */
export function isEmptyGroup(path: string): boolean {
  return readField(path, 'cgroup.events', 'populated') !== 1;
}

const maxMs = 2_000;
const longestPauseMs = 10;

/** What still runs in it is ended first. Whether it is gone; the wait is bounded. */
export async function removeGroup(path: string): Promise<boolean> {
  const deadlineMs = performance.now() + maxMs;
  for (let pauseMs = 1; !tryRemove(path); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > deadlineMs) return false;
    endGroup(path);
    await delay(pauseMs);
  }
  return true;
}

/** Refused while something runs in it, and by everything that is no empty directory. */
function tryRemove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return toErrorCode(error) === 'ENOENT';
  }
}
