// The backends of this system, put together with the programs they need and with what commands are to see. Which of them
// works is not asked here.
import { findHostHelper, type HostHelper } from '../../process/find-host-helper.ts';
import { readProgramOutput } from '../../process/read-program-output.ts';
import { createBwrapBackend } from '../bwrap/bwrap-backend.ts';
import { createFloorBackend } from '../floor/floor-backend.ts';
import { createLandlockBackend } from '../landlock/landlock-backend.ts';
import { findToolchains, toReach } from '../toolchain/find-toolchains.ts';
import { toSandboxEnvironment } from '../toolchain/to-sandbox-environment.ts';
import { toSandboxMounts } from '../toolchain/to-sandbox-mounts.ts';
import type { Mount } from '../toolchain/toolchain.ts';
import { adviseInstall } from './advise-install.ts';
import type { Candidate, MissingBackend } from './candidate.ts';
import { type HostFacts, readHostFacts } from './host-facts.ts';
import { listMacCandidates } from './list-mac-candidates.ts';
import { listWindowsCandidates } from './list-windows-candidates.ts';

export interface CandidateOptions {
  /** What the person lets commands see beside the system and its toolchains. */
  readonly mounts: readonly Mount[];
  /** Where programs of the host are looked for. */
  readonly findHelper?: (name: HostHelper) => string | null;
}

/** From the strongest to the weakest. */
export function listCandidates(options: CandidateOptions): readonly Candidate[] {
  const floor: Candidate = { id: 'none', backend: createFloorBackend(), version: () => null };
  switch (process.platform) {
    case 'linux':
      return [...listLinuxCandidates(options), floor];
    case 'darwin':
      return [...listMacCandidates(options), floor];
    case 'win32':
      return listWindowsCandidates(floor);
    default:
      return [floor];
  }
}

function listLinuxCandidates({ mounts, findHelper = findHostHelper }: CandidateOptions): readonly Candidate[] {
  const facts = readHostFacts();
  const [bwrap, perl] = [findHelper('bwrap'), findHelper('perl')];
  return [
    {
      id: 'bwrap',
      backend:
        bwrap === null || perl === null
          ? toMissing({ bubblewrap: bwrap, perl }, facts)
          : createBwrapBackend({ bwrap, perl, view: toView(mounts) }),
      version: () => (bwrap === null ? null : readVersion(bwrap, ['--version'])),
    },
    {
      id: 'landlock',
      backend:
        perl === null
          ? toMissing({ perl }, facts)
          : createLandlockBackend({ perl, toolchains: findToolchains(toReach('landlock')), extraMounts: mounts }),
      version: () => (perl === null ? null : readVersion(perl, ['-e', askLandlock])),
    },
  ];
}

const toView = (mounts: readonly Mount[]) => ({
  environment: toSandboxEnvironment(findToolchains()),
  mounts: toSandboxMounts(findToolchains(), mounts),
});

function toMissing(packages: Readonly<Record<string, string | null>>, facts: HostFacts): MissingBackend {
  const names = Object.keys(packages).filter((name) => packages[name] === null);
  return {
    kind: 'missing',
    reason: `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed`,
    advice: adviseInstall(names.join(' '), facts),
  };
}

function readVersion(program: string, args: readonly string[]): string | null {
  return /\d[\d.]*/.exec(readProgramOutput(program, args))?.[0] ?? null;
}

/** The number of the interface, by the call that makes a set of rules when it is given any; 444 on every machine. */
const askLandlock = 'print syscall(444, 0, 0, 1)';
