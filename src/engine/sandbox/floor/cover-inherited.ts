// Files that were open when the engine was started, by a shell or an editor. Unlike those that it opens itself they are handed
// on to whatever it starts, so for a command that is started directly something without content stands in their place.
import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';

export interface Cover extends Disposable {
  /**
   * For descriptor 3 and on, with holes where nothing is handed on. They are no places for a cover: through one of them the
   * system tells that a program could not be started.
   */
  readonly descriptors: readonly number[];
}

export function coverInherited(): Cover {
  const inherited = findInherited();
  if (inherited.length === 0) return { descriptors: [], [Symbol.dispose]: () => undefined };
  const nothing = openSync('/dev/null', constants.O_RDWR);
  const descriptors: number[] = [];
  for (const each of inherited) descriptors[each - firstOwn] = nothing;
  let isOpen = true;
  return {
    descriptors,
    [Symbol.dispose]() {
      if (isOpen) closeSync(nothing);
      isOpen = false;
    },
  };
}

/** Input and outputs come before it, and are the command's own. */
const firstOwn = 3;
const closedOnStart = 0o2000000;

/** None where there is no /proc that tells. */
function findInherited(): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((descriptor) => descriptor >= firstOwn && isHandedOn(descriptor));
  } catch {
    return [];
  }
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnStart) === 0;
  } catch {
    return false; // It has just been closed.
  }
}
