// A program without any sandbox: what starting it costs anyway.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface PlainOptions {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Milliseconds from the call to the end of the program and of its output; throws when it fails. */
export async function timePlain(argv: readonly string[], options: PlainOptions = {}): Promise<number> {
  const { directory = '/', environment = {} } = options;
  const [program = '', ...args] = argv;
  const startedMs = performance.now();
  const child = spawn(program, args, { cwd: directory, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, 'close');
  const durationMs = performance.now() - startedMs;
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${String(code)}`);
  return durationMs;
}
