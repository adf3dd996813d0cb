// Names of the files in which new content waits for its place. A name says which process of which machine wrote it, so
// that what a killed process left behind can be told from what another run is writing now.
import { hash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const machine = hash('sha256', hostname()).slice(0, 8);
/** Tells this process from an earlier one of the same number, which is the rule in containers. */
const incarnation = randomBytes(4).toString('hex');
const pattern = /^\.io-studio-([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/;

export function createTemporaryName(): string {
  return `.io-studio-${machine}-${process.pid}-${incarnation}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Such files are no part of a workspace: they are never listed or searched. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}

/** Whether the process that wrote it has ended. Nothing is said of another machine's. */
export function isLeftover(name: string): boolean {
  const [, writtenOn, pid, writtenIn] = pattern.exec(name) ?? [];
  if (writtenOn !== machine) return false;
  return Number(pid) === process.pid ? writtenIn !== incarnation : !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
