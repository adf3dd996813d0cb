// What there is for commands on Windows: caps that the kernel keeps, and nothing that encloses. Where the engine has the
// rights of an administrator there is nothing at all, because every command would have them too.
import { tmpdir } from 'node:os';
import { dirname, win32 } from 'node:path';
import { readProgramOutput } from '../../process/read-program-output.ts';
import { toBrokerArgv } from '../job-object/broker-protocol.ts';
import { createJobBroker, type JobBroker } from '../job-object/job-broker.ts';
import { createJobObjectBackend } from '../job-object/job-object-backend.ts';
import type { Backend } from '../launch.ts';
import type { Candidate, MissingBackend } from './candidate.ts';

/** `floor`: what is left where no jobs can be made. */
export function listWindowsCandidates(floor: Candidate): readonly Candidate[] {
  const systemRoot = process.env.SystemRoot ?? 'C:\\Windows';
  const system = (name: string): string => win32.join(systemRoot, 'System32', name);
  const isOrdinary = hasOrdinaryRights(readProgramOutput(system('whoami.exe'), ['/groups', '/fo', 'csv', '/nh']));
  const allow = (backend: Backend | MissingBackend) => (isOrdinary ? backend : administrator);
  return [
    { id: 'bwrap', backend: nothingEncloses, version: () => null },
    { id: 'none', backend: allow(createJobs(systemRoot, system)), version: () => 'job objects' },
    { ...floor, backend: allow(floor.backend) },
  ];
}

/** From the groups of the engine's own user; in doubt it has more rights than it should. */
export function hasOrdinaryRights(groups: string): boolean {
  return /\bS-1-16-(4096|8192|8448)\b/.test(groups);
}

const nothingEncloses: MissingBackend = {
  kind: 'missing',
  reason: 'nothing on Windows encloses the files and the network of a command',
  advice: { text: 'Run the engine in WSL 2, where bubblewrap encloses commands', command: 'wsl --install' },
};

const administrator: MissingBackend = {
  kind: 'missing',
  reason: 'no command may run with the rights of an administrator',
  advice: { text: 'Start the engine without the rights of an administrator', command: null },
};

function createJobs(systemRoot: string, system: (name: string) => string): Backend {
  const powerShell = system(win32.join('WindowsPowerShell', 'v1.0', 'powershell.exe'));
  const environment = { SystemRoot: systemRoot, windir: systemRoot, TEMP: tmpdir(), TMP: tmpdir() };
  broker ??= createJobBroker({ argv: toBrokerArgv(powerShell), environment });
  return createJobObjectBackend({ broker, systemRoot, programs: listPrograms() });
}

/** One for all backends of this process. */
let broker: JobBroker | undefined;

/** Of the Node that runs the engine, which inside Electron is none, and of git where it installs itself. */
function listPrograms(): string[] {
  const node = 'electron' in process.versions ? [] : [dirname(process.execPath)];
  return [...node, win32.join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Git', 'cmd')];
}
