// What a dead engine has recorded of its sandboxes: by this their processes are found.
import { basename } from 'node:path';
import { readTagOwner } from '../../process/owner-tag.ts';
import type { HeldNumber } from '../identity/number-locks.ts';
import { readReservedNumbers } from '../identity/reserved-numbers.ts';
import type { DeadEngine } from './find-dead-engines.ts';
import type { LeftSandbox } from './find-left-processes.ts';
import { readRecord, recordEnding } from './record-sandbox.ts';

export function listLeftSandboxes({
  paths,
  numbers,
  controlGroups,
}: Pick<DeadEngine, 'paths' | 'numbers' | 'controlGroups'>): LeftSandbox[] {
  return [...paths.flatMap(toSandbox), ...toUsers(numbers), ...controlGroups.map(toUnrecorded)];
}

function toSandbox(path: string): LeftSandbox[] {
  const record = path.endsWith(recordEnding) ? readRecord(path) : null;
  // A user of its own is known by the lock on its number, which stays as long as that is true.
  return record === null ? [] : [{ ...record, uid: null, controlGroup: toDeadGroup(record.controlGroup) }];
}

/** A group says by its name whose it is, whatever a record says. */
function toDeadGroup(controlGroup: string | null): string | null {
  return controlGroup !== null && readTagOwner(basename(controlGroup))?.isAlive === false ? controlGroup : null;
}

/** A number that has been given to somebody else meanwhile says nothing any more. */
function toUsers(numbers: readonly HeldNumber[]): LeftSandbox[] {
  const isReserved = readReservedNumbers();
  return numbers
    .filter(({ number }) => !isReserved(number))
    .map(({ number }) => ({ processes: [], mark: null, uid: number, controlGroup: null }));
}

/** Its engine was killed before it wrote the sandbox down, or it is written down too. */
const toUnrecorded = (controlGroup: string): LeftSandbox => ({ processes: [], mark: null, uid: null, controlGroup });
