// Tells a script whose interpreter is missing from one that ran and failed: a shell reports both as exit 127.
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';

/** The interpreter that the `#!` line of `program` names, when it cannot be executed or is not in sight; otherwise null. */
export function findMissingInterpreter(
  program: string,
  isInSight: (path: string) => boolean = () => true,
): string | null {
  const interpreter = /^#!\s*(\S+)/.exec(readStart(program))?.[1];
  if (interpreter === undefined) return null;
  if (!isInSight(interpreter)) return interpreter;
  try {
    accessSync(interpreter, constants.X_OK);
    return null;
  } catch {
    return interpreter;
  }
}

/** Empty for a program that may be run but not read: that is none of our business. */
function readStart(program: string): string {
  try {
    const descriptor = openSync(program, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(256);
      return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
