// Names of signals by the numbers that the kernel reports them by.
import { constants } from 'node:os';

/** Null for a number that is none of a signal. Of several names for one number it is the usual one. */
export function toSignalName(number: number): string | null {
  return names.get(number) ?? null;
}

const names = new Map(
  Object.entries(constants.signals)
    .map(([name, number]): [number, string] => [number, name])
    .reverse(),
);
