// Which tools of languages this machine has, and which of several a command gets: the one that the person has made their
// own, else the system's. Found by looking at files alone; no program is run, and nothing in a workspace has a say.
import { findAccountHome } from '../../process/find-account-home.ts';
import type { Isolation } from '../sandbox.ts';
import { findBarrier } from './find-barrier.ts';
import { findC } from './find-c.ts';
import { findGo } from './find-go.ts';
import { findJava } from './find-java.ts';
import { findNode } from './find-node.ts';
import { findPython } from './find-python.ts';
import { findRust } from './find-rust.ts';
import type { Toolchain } from './toolchain.ts';

/** Who must be able to get at a toolchain by its own path: the engine, which can hand it on, or any user. */
export type Reach = 'engine' | 'everybody';

/**
 * Under a root engine a command is another user, to whom only what builds its own mounts hands a directory that is shut to
 * everybody else.
 */
export function toReach(isolation: Isolation | null): Reach {
  const isHandedOver = isolation !== 'landlock' && isolation !== 'none';
  return isHandedOver || process.geteuid?.() !== 0 ? 'engine' : 'everybody';
}

/** One toolchain for each language, looked up once for each process. */
export function findToolchains(reach: Reach = 'engine'): readonly Toolchain[] {
  known ??= listToolchains(findAccountHome());
  return known.flatMap((ofLanguage) => ofLanguage.find((each) => reach === 'engine' || isOpen(each)) ?? []);
}

let known: readonly (readonly Toolchain[])[] | undefined;

/** All toolchains of each language, the preferred one first. */
export function listToolchains(home: string | null): readonly (readonly Toolchain[])[] {
  return [findRust(home), findNode(), findPython(home), findGo(home), findJava(), findC()];
}

const isOpen = ({ mounts }: Toolchain): boolean => mounts.every(({ source }) => findBarrier(source) === null);
