// The user numbers that nobody on this machine has: no account, no service, and no process as a user or as a group.
import { readFileSync } from 'node:fs';
import { listProcessIds } from '../../process/process-table.ts';
import { readCredentials } from '../../process/read-credentials.ts';
import { readReservedNumbers } from './reserved-numbers.ts';

export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** Those of the range that are free, from a random one on: one that was just given back is the least likely to come next. */
export function* findFreeNumbers({ first, last }: NumberRange): Generator<number> {
  const isReserved = readReservedNumbers();
  const inUse = readNumbersInUse();
  const isKnown = readKnownNumbers();
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step++) {
    const number = first + ((start + step) % count);
    if (!isReserved(number) && !inUse.has(number) && isKnown(number)) yield number;
  }
}

function readNumbersInUse(): Set<number> {
  const credentials = listProcessIds().flatMap((pid) => readCredentials(pid) ?? []);
  return new Set(credentials.flatMap(({ uids, gids }) => [...uids, ...gids]));
}

/** Inside a container only some numbers may exist at all. */
function readKnownNumbers(): (number: number) => boolean {
  const [users, groups] = ['uid', 'gid'].map((kind) => readRanges(`/proc/self/${kind}_map`));
  const holds = (ranges: readonly NumberRange[] = [], number: number): boolean =>
    ranges.some(({ first, last }) => first <= number && number <= last);
  return (number) => holds(users, number) && holds(groups, number);
}

/** Each line: the first number inside, the first outside, how many. */
function readRanges(path: string): NumberRange[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return { first, last: first + count - 1 };
  });
}
