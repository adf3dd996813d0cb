import { realpathSync } from 'node:fs';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

/** C: the compiler of the system, which Rust links with too. */
export function findC(): readonly Toolchain[] {
  const program = findSystemProgram('cc');
  return program === null ? [] : [createToolchain({ name: 'c', program: realpathSync(program) })];
}
