// Questions at a terminal, a line each. The terminal stays in its line mode, so there is nothing to put right when the
// process ends, however it ends; and it is read only while a question stands. A line counts only when it was ended after
// its question had been shown: nothing typed ahead, pasted on top or broken off answers anything.
import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  /** There is no more input, or Ctrl-D was typed. */
  | { readonly kind: 'end' }
  /** The question was taken back before it was answered. */
  | { readonly kind: 'withdrawn' };

export interface Terminal extends Disposable {
  readonly rows: number;
  readonly columns: number;
  write(text: string): void;
  /** Shows `prompt` and waits for a line. One question at a time. */
  question(prompt: string, signal: AbortSignal): Promise<Typed>;
}

export interface TerminalOutput extends Writable {
  readonly rows?: number;
  readonly columns?: number;
}

/** A line of more is no answer of a person. */
const maxLineLength = 64 * 1024;

/** The caller disposes it; the streams stay the caller's. */
export function openTerminal(input: Readable, output: TerminalOutput): Terminal {
  let answer: ((typed: Typed) => void) | null = null;
  let hasEnded = input.readableEnded || input.destroyed;
  const lines = createLineSplitter((text) => {
    answer?.({ kind: 'line', text });
    answer = null;
  });
  const end = () => {
    hasEnded = true;
    answer?.({ kind: 'end' });
  };
  input.setEncoding('utf8').on('end', end).on('close', end).on('error', end);
  const read = (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<Typed>();
    const withdraw = () => resolve({ kind: 'withdrawn' });
    signal.addEventListener('abort', withdraw, { once: true });
    lines.clear();
    answer = resolve;
    return promise.finally(() => signal.removeEventListener('abort', withdraw));
  };
  return {
    get rows() {
      return output.rows || 24; // A terminal that does not know says 0.
    },
    get columns() {
      return output.columns || 80;
    },
    write: (text) => void output.write(text),
    async question(prompt, signal) {
      input.on('data', lines.push).resume();
      try {
        await readAhead();
        if (signal.aborted) return { kind: 'withdrawn' };
        if (hasEnded) return { kind: 'end' };
        const reading = read(signal);
        output.write(prompt);
        const typed = await reading;
        if (typed.kind !== 'line') output.write('\n'); // Nobody pressed Enter.
        return typed;
      } finally {
        answer = null;
        input.off('data', lines.push).pause();
      }
    },
    [Symbol.dispose]() {
      input.off('end', end).off('close', end).off('error', end).pause();
    },
  };
}

/** Turns enough for what was typed before to have come in: it takes one to begin to read, and one to read. */
async function readAhead(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}

function createLineSplitter(onLine: (line: string) => void) {
  let rest = '';
  return {
    push(text: string): void {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, maxLineLength);
      for (const line of lines) onLine(line.replace(/\r$/, ''));
    },
    clear(): void {
      rest = '';
    },
  };
}
