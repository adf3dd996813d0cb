// A started command as whoever talks to it has it: its input and its signals, and no way to anything else of it.
import type { Begun, StartedChild } from './launch.ts';
import type { LiveCommand } from './sandbox.ts';

export function toLiveCommand({ stdin, isAlive }: StartedChild, { signal }: Begun): LiveCommand {
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (stdin === null || !stdin.writable) resolve('closed');
        else stdin.write(bytes, (error) => resolve(error ? 'closed' : 'written'));
      }),
    closeInput: () => stdin?.end(),
    signal(name) {
      if (isAlive()) signal?.(name);
    },
  };
}
