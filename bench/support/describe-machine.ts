// The machine in one line, with what a synced write costs on it: most of a step is waiting for the disk.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { openScratch } from './scratch.ts';
import { median } from './statistics.ts';

export function describeMachine(): string {
  const [first] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const system = `${process.platform} ${release()} ${process.arch}`;
  const sync = `a synced 4 KiB write takes ${measureSyncMs().toFixed(2)} ms`;
  return `${cpus().length} x ${first?.model.trim() ?? 'unknown processor'}, ${memory}, ${system}, Node ${process.version}; ${sync}`;
}

/** The load that is there already, as the system averages it over a minute. */
export function readLoadAverage(): string {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

function measureSyncMs(): number {
  using scratch = openScratch();
  const descriptor = openSync(join(scratch.path, 'sync'), 'w');
  const bytes = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 101 }, () => {
    const startedMs = performance.now();
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
    return performance.now() - startedMs;
  });
  closeSync(descriptor);
  return median(times);
}
