// Whether a volume takes `.ENV` and `.env` for one file. A rule written in one spelling must then hold for both.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Asked of an entry of the directory: its own path says nothing, as a volume that folds may be mounted below one that does
 * not, which is the rule for a container on another system's files. Where nothing tells, the stricter answer is given.
 */
export function ignoresLetterCase(directory: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  for (const name of readdirSync(directory)) {
    const here = identify(join(directory, name));
    const other = swapLetterCase(name);
    if (other !== name && here !== undefined) return here === identify(join(directory, other));
  }
  return true;
}

/** Of the letters that every volume folds alike. */
function swapLetterCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

function identify(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
