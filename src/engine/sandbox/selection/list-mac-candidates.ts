// What encloses commands on macOS.
import { findHostHelper, type HostHelper } from '../../process/find-host-helper.ts';
import { readProgramOutput } from '../../process/read-program-output.ts';
import { createSeatbeltBackend } from '../seatbelt/seatbelt-backend.ts';
import { findToolchains } from '../toolchain/find-toolchains.ts';
import type { Mount } from '../toolchain/toolchain.ts';
import type { Candidate } from './candidate.ts';

export interface MacCandidateOptions {
  readonly mounts: readonly Mount[];
  readonly findHelper?: (name: HostHelper) => string | null;
}

export function listMacCandidates({ mounts, findHelper = findHostHelper }: MacCandidateOptions): readonly Candidate[] {
  const sandboxExec = findHelper('sandbox-exec');
  return [
    {
      id: 'seatbelt',
      backend:
        sandboxExec === null
          ? { kind: 'missing', reason: 'this system has no sandbox-exec', advice: null }
          : createSeatbeltBackend({ sandboxExec, toolchains: findToolchains(), extraMounts: mounts }),
      // It has no number of its own but comes with the system.
      version: () => readProgramOutput('/usr/bin/sw_vers', ['-productVersion']) || null,
    },
  ];
}
