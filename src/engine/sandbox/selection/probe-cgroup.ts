// Whether the system has handed this process a control group of its own, by which the kernel could keep caps of whole trees.
// Only looked at: nothing here needs one.
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type CgroupProbe =
  | { readonly delegated: true; readonly path: string }
  | { readonly delegated: false; readonly reason: string };

const neededControllers = ['cpu', 'memory', 'pids'];

export function probeCgroup(root = '/sys/fs/cgroup', own = '/proc/self/cgroup'): CgroupProbe {
  const place = /^0::(\/.*)$/m.exec(readText(own))?.[1];
  if (place === undefined) return no('there is no cgroup v2 hierarchy');
  const path = join(root, place);
  const controllers = readText(join(path, 'cgroup.controllers')).split(/\s+/);
  const missing = neededControllers.filter((name) => !controllers.includes(name));
  if (missing.length > 0) return no(`${missing.join(', ')} cannot be controlled in ${path}`);
  try {
    accessSync(path, constants.W_OK);
    accessSync(join(path, 'cgroup.procs'), constants.W_OK);
    return { delegated: true, path };
  } catch {
    return no(`${path} may not be written`);
  }
}

const no = (reason: string): CgroupProbe => ({ delegated: false, reason });

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
