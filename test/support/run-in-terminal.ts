// A command with a real terminal of its own, by util-linux `script`; what a person would see and what they type.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment } from './run-cli.ts';

export interface TerminalRun extends AsyncDisposable {
  /** Resolves once this was shown, after what was waited for before; rejects when the command ended without it. */
  untilShown(text: string): Promise<void>;
  type(text: string): void;
  readonly shown: () => string;
  readonly exitCode: Promise<number | null>;
}

export interface RunInTerminalOptions {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Why there is no terminal to be had here; null when there is. */
export function findTerminalObstacle(): string | null {
  const { status } = spawnSync('script', ['-qec', 'test -t 0', '/dev/null'], { stdio: ['pipe', 'ignore', 'ignore'] });
  return status === 0 ? null : 'no `script` of util-linux, or no terminal to be had from it';
}

/** Runs a line of `sh` in a terminal. Disposing it ends it if it still runs. */
export function runInTerminal(line: string, { directory, environment }: RunInTerminalOptions): TerminalRun {
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: directory,
    env: { ...cleanEnvironment, SHELL: '/bin/sh', TERM: 'dumb', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let waitedFor = 0;
  let ended = false;
  const looking = new Set<() => void>();
  const tell = () => {
    for (const look of looking) look();
  };
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece.replaceAll('\r\n', '\n');
    tell();
  });
  const exitCode = once(child, 'close').then(() => {
    ended = true;
    tell();
    return child.exitCode;
  });
  return {
    untilShown: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const at = text.indexOf(wanted, waitedFor);
          if (at < 0 && !ended) return;
          looking.delete(look);
          if (at < 0) return reject(new Error(`It ended without showing ${JSON.stringify(wanted)}.\n${text}`));
          waitedFor = at + wanted.length;
          resolve();
        };
        looking.add(look);
        look();
      }),
    type: (keys) => void child.stdin.write(keys),
    shown: () => text,
    exitCode,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exitCode;
    },
  };
}
