import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')(
  'memory is measured also where /proc cannot be opened for details (needs Linux)',
  async () => {
    const script = `
    import { openSync } from 'node:fs';
    import { exceedsMemory } from '${import.meta.dirname}/measure-memory.ts';
    try { for (;;) openSync('/dev/null'); } catch {}
    const rows = [{ pid: process.pid, residentPages: 3 }];
    console.log(exceedsMemory(rows, 1024), exceedsMemory(rows, 1024 ** 2));`;
    const limited = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, script]);
    expect(stdout).toBe('true false\n');
  },
);
