// The files of one control group. Each is a switch of the kernel: none is ever made, and each write is whole or fails.
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readShortFile } from '../../process/process-table.ts';

/** Null where there is none, or none that can be read. */
export function readGroupFile(group: string, name: string): string | null {
  try {
    return readShortFile(join(group, name));
  } catch {
    return null;
  }
}

/** A file with a single number; null also for the word `max`. */
export function readNumber(group: string, name: string): number | null {
  const text = readGroupFile(group, name)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** The number behind a word, of a file with one of each in a line. */
export function readField(group: string, name: string, field: string): number | null {
  const line = readGroupFile(group, name)
    ?.split('\n')
    .find((text) => text.startsWith(`${field} `));
  const number = Number(line?.slice(field.length + 1) ?? Number.NaN);
  return Number.isNaN(number) ? null : number;
}

/** The numbers of the processes in it, itself without those below; zero for one that cannot be seen from here. */
export function readMembers(group: string): number[] {
  try {
    return readFileSync(join(group, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return []; // It has just been removed.
  }
}

/** Throws what the system says. */
export function writeGroupFile(group: string, name: string, text: string): void {
  const descriptor = openSync(join(group, name), constants.O_WRONLY);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether it was taken. */
export function tryWriteGroupFile(group: string, name: string, text: string): boolean {
  try {
    writeGroupFile(group, name, text);
    return true;
  } catch {
    return false;
  }
}
