// Go: the distribution that its makers' archive unpacks to, then the system's. It fetches neither modules nor another
// version of itself.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import { isDirectory } from './list-directory.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

const archivePlace = '/usr/local/go/bin/go';

export function findGo(home: string | null): readonly Toolchain[] {
  const program = isExecutableFile(archivePlace) ? archivePlace : findSystemProgram('go');
  if (program === null) return [];
  const real = realpathSync(program);
  return [
    createToolchain({
      name: 'go',
      program: real,
      path: [dirname(real)],
      environment: { GOPROXY: 'off', GOTOOLCHAIN: 'local' },
      scratch: { GOPATH: 'go', GOCACHE: 'go-cache' },
      caches: home === null ? [] : findModules(home),
    }),
  ];
}

function findModules(home: string): Toolchain['caches'] {
  const source = join(home, 'go', 'pkg', 'mod');
  return isDirectory(source) ? [{ source: realpathSync(source), below: 'go/pkg/mod' }] : [];
}
