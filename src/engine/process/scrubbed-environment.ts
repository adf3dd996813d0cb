// The environment that children get. It is built from nothing, so that no provider key, token or agent socket of the
// engine's own environment can reach a child.
import { findRustupHome, toProgramPath } from './resolve-program.ts';

/** A minimal environment whose home and temporary directory are the given private ones. */
export function scrubbedEnvironment(home: string, temporary: string): Record<string, string> {
  const rustupHome = findRustupHome();
  return {
    PATH: toProgramPath(),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    ...(rustupHome === null ? {} : { RUSTUP_HOME: rustupHome }),
  };
}
