import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')(
  'what may be granted at most is what this process may have at most (needs Linux)',
  async () => {
    const script = `
    import { readHardLimits } from '${import.meta.dirname}/read-hard-limits.ts';
    console.log(JSON.stringify(readHardLimits()));`;
    const limited = 'ulimit -t 99; ulimit -n 88; exec "$0" --input-type=module -e "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, script]);
    expect(JSON.parse(stdout)).toMatchObject({ cpuSeconds: 99, openFiles: 88 });
  },
);
