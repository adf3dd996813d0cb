// Which user and group numbers are somebody's on this machine, whether anything of theirs runs or not.
import { existsSync, readFileSync } from 'node:fs';

const accountFiles = ['/etc/passwd', '/etc/group'];

/** Read once; what is answered is true as of this call. */
export function readReservedNumbers(files: readonly string[] = accountFiles): (number: number) => boolean {
  const accounts = new Set(files.flatMap(readNumbers));
  return (number) => accounts.has(number) || existsSync(`/run/systemd/dynamic-uid/${number}`);
}

/** The third field is the number itself in both files, the fourth that of the user's group. */
function readNumbers(path: string): number[] {
  const lines = readTextOrEmpty(path).split('\n');
  return lines.flatMap((line) => line.split(':').slice(2, 4)).map(Number);
}

function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
