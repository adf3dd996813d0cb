// What a child writes: head and tail of both outputs are kept and everything is counted. At the first byte too many nothing
// is read any more, so however much a command writes, it costs no memory and no time.
import type { Readable } from 'node:stream';
import { captureOutput } from '../process/capture-output.ts';
import type { StartedChild } from '../process/start-child.ts';
import type { SandboxLimits, SandboxOutput } from './sandbox.ts';

export interface OutputCollector {
  readonly writtenBytes: number;
  /** When more was written than may be; never otherwise. */
  readonly over: Promise<void>;
  read(): { readonly stdout: SandboxOutput; readonly stderr: SandboxOutput };
}

type OutputLimits = Pick<SandboxLimits, 'outputBytes' | 'writtenBytes'>;

export function collectOutput({ stdout, stderr }: StartedChild, limits: OutputLimits): OutputCollector {
  const over = Promise.withResolvers<void>();
  let writtenBytes = 0;
  const collect = (stream: Readable): (() => SandboxOutput) => {
    const capture = captureOutput(limits.outputBytes);
    stream.on('data', (chunk: Buffer) => {
      writtenBytes += chunk.length;
      capture.push(chunk);
      if (writtenBytes <= limits.writtenBytes) return;
      stdout.destroy();
      stderr.destroy();
      over.resolve();
    });
    return capture.read;
  };
  const readStdout = collect(stdout);
  const readStderr = collect(stderr);
  return {
    get writtenBytes() {
      return writtenBytes;
    },
    over: over.promise,
    read: () => ({ stdout: readStdout(), stderr: readStderr() }),
  };
}
