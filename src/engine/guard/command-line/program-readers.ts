// Which reader reads which program. A program that stands nowhere here is judged by its exact words alone.
import { knownReaders } from './known-readers.ts';
import { knownWriters } from './known-writers.ts';
import { toReader } from './program-shape.ts';
import { type ProgramReader, ProgramUse } from './program-use.ts';
import { readAwk } from './read-awk.ts';
import { readBuildTool } from './read-build-tool.ts';
import { readDd } from './read-dd.ts';
import { readFd, readFind } from './read-find.ts';
import { readGit } from './read-git.ts';
import { readCurl, readRawConnection, readRemoteShell, readWget } from './read-network-program.ts';
import { readSed } from './read-sed.ts';
import { readForeignShell, readShellProgram } from './read-shell-program.ts';
import { readTar } from './read-tar.ts';
import { toWrapperReader } from './read-wrapper.ts';
import { wrappers } from './wrappers.ts';

const special: Readonly<Record<string, ProgramReader>> = {
  'sh bash dash ash zsh ksh mksh fish csh tcsh rbash': readShellProgram,
  'powershell pwsh cmd nu xonsh elvish': readForeignShell,
  'powershell.exe pwsh.exe cmd.exe': readForeignShell,
  find: readFind,
  'fd fdfind': readFd,
  'sed gsed': readSed,
  'awk gawk mawk nawk': readAwk,
  dd: readDd,
  'tar gtar bsdtar': readTar,
  git: readGit,
  curl: readCurl,
  wget: readWget,
  'ssh scp sftp rsync': readRemoteShell,
  'nc ncat netcat telnet ftp socat': readRawConnection,
  'make gmake ninja npm npx': readBuildTool,
  'eval source exec builtin': () => new ProgramUse().hide('it is no program but a word of a shell'),
};

export const programReaders: ReadonlyMap<string, ProgramReader> = new Map([
  ...toEntries(knownReaders, toReader),
  ...toEntries(knownWriters, toReader),
  ...toEntries(wrappers, toWrapperReader),
  ...toEntries(special, (reader) => reader),
]);

function toEntries<Row>(
  table: Readonly<Record<string, Row>>,
  toProgramReader: (row: Row) => ProgramReader,
): [string, ProgramReader][] {
  return Object.entries(table).flatMap(([names, row]) => {
    const reader = toProgramReader(row);
    return names.split(' ').map((name): [string, ProgramReader] => [name, reader]);
  });
}
