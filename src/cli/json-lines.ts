// For scripts: one journal event per line and a result at the end; nothing else ever goes to standard output.
import type { RunView } from './run-view.ts';

export function createJsonLines(write: (text: string) => void, deltas: boolean): RunView {
  const line = (value: object) => write(`${JSON.stringify(value)}\n`);
  return {
    event: line,
    live: (update) => {
      if (deltas) line(update);
    },
    result: async (result) => line({ type: 'result', ...result }),
  };
}
