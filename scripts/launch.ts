// Starts the command line as a user would: shown as it goes, or read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const launcher = join(import.meta.dirname, '../bin/io-studio');

/** What it says goes where this process speaks; resolves to its exit code. */
export async function launch(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(launcher, args, { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** What it writes to standard output. */
export async function read(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(launcher, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const piece of child.stdout) text += String(piece);
  return text;
}
