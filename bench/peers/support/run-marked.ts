// Runs a program to its end under a mark, so that it can be measured and killed with all that it has started. Nothing of it
// outlives the run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { nowMs } from '../../support/now-ms.ts';
import { killTree, listTree, markName, measureTreeMiB } from './process-tree.ts';

export interface Launch {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunMarkedOptions {
  /** One that no other run has. */
  readonly mark: string;
  /** File that takes its output. */
  readonly outputFile: string;
  readonly limitMs: number;
  /** Between two looks at its memory; null: none. */
  readonly sampleMs: number | null;
}

export interface Ended {
  readonly code: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of the program and of all its children that it has waited for. */
  readonly cpuSeconds: number;
  readonly peakTreeMiB: number;
  readonly isTimedOut: boolean;
  /** Processes that were still there when the program had ended. */
  readonly leftProcesses: number;
  readonly output: string;
}

export interface MarkedRun {
  readonly ended: Promise<Ended>;
  kill(): void;
}

export function runMarked({ command, directory, environment }: Launch, options: RunMarkedOptions): MarkedRun {
  const { mark, outputFile, limitMs, sampleMs } = options;
  const timeFile = `${outputFile}.time`;
  const output = openSync(outputFile, 'w');
  const startedAt = nowMs();
  const child = spawn('/usr/bin/time', ['--format', '%U %S', '--output', timeFile, ...command], {
    cwd: directory,
    env: { ...environment, [markName]: mark },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let peakTreeMiB = 0;
  let isTimedOut = false;
  const look = () => {
    peakTreeMiB = Math.max(peakTreeMiB, measureTreeMiB(mark));
  };
  const sampling = sampleMs === null ? undefined : setInterval(look, sampleMs);
  const limit = setTimeout(() => {
    isTimedOut = true;
    killTree(mark);
  }, limitMs);
  const toEnd = async (): Promise<Ended> => {
    const [code]: (number | null)[] = await once(child, 'exit').finally(() => {
      clearInterval(sampling);
      clearTimeout(limit);
    });
    const endedAt = nowMs();
    const leftProcesses = listTree(mark).length;
    killTree(mark);
    const cpuSeconds = readCpuSeconds(timeFile);
    const said = readFileSync(outputFile, 'utf8');
    return { code: code ?? null, startedAt, endedAt, cpuSeconds, peakTreeMiB, isTimedOut, leftProcesses, output: said };
  };
  return { ended: toEnd(), kill: () => killTree(mark) };
}

/** Not a number for a run that was killed: then nobody was left to write it down. */
function readCpuSeconds(timeFile: string): number {
  try {
    const [user, system] = (readFileSync(timeFile, 'utf8').trim().split('\n').at(-1) ?? '').split(' ').map(Number);
    return (user ?? Number.NaN) + (system ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}
