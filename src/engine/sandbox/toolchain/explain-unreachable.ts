// A program that this account has and a command does not: its directory, or one above it, is shut to the user that the
// command runs as. To be told from a program that nobody has.
import { join } from 'node:path';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import type { StartFailure } from '../launch.ts';
import { findBarrier } from './find-barrier.ts';
import { findToolchains } from './find-toolchains.ts';
import { type Toolchain, toolchainPackages } from './toolchain.ts';

/** Why a bare name that no command finds is out of reach; null when no toolchain of this account has it either. */
export function explainUnreachable(
  program: string,
  toolchains: readonly Toolchain[] = findToolchains('engine'),
): StartFailure | null {
  if (program === '' || program.includes('/')) return null;
  for (const { name, path, mounts } of toolchains) {
    const directory = path.find((each) => isExecutableFile(join(each, program)));
    const barrier = mounts.map(({ source }) => findBarrier(source)).find((each) => each !== null);
    if (directory === undefined || barrier === undefined) continue;
    return {
      kind: 'not-started',
      stage: 'toolchain',
      reason: `${join(directory, program)} is out of reach for the user that commands run as: ${barrier} is shut to others`,
      advice: `Install it for every user; on Debian and its kin: apt install ${toolchainPackages[name]}.`,
    };
  }
  return null;
}
