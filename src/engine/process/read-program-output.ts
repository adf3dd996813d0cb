// Asks a small program of the system a question and waits for the answer. For what no call of Node tells and a thread may
// wait for; nothing a person or a model chose is started this way.
import { execFileSync } from 'node:child_process';

/** What the program at this absolute path prints, trimmed; empty when it fails or takes long. */
export function readProgramOutput(program: string, args: readonly string[]): string {
  try {
    const environment = { LC_ALL: 'C', TZ: 'UTC' };
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync(program, args, { encoding: 'utf8', env: environment, stdio, timeout: 5_000 }).trim();
  } catch {
    return '';
  }
}
