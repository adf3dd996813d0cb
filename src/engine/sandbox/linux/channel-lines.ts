// Reads lines from a channel of a child, one when somebody asks. A line that is longer than any that is expected, an end and
// an error all read as "there is none".
import type { Readable } from 'node:stream';

export interface ChannelLines {
  /** The next line; null when none comes any more, or `signal` said to stop waiting. */
  next(signal: AbortSignal): Promise<string | null>;
}

const maxWaitingCharacters = 64 * 1024;

export function readChannelLines(channel: Readable): ChannelLines {
  let text = '';
  let hasEnded = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    hasEnded = true;
    wake();
  };
  channel.setEncoding('utf8');
  channel.on('end', end).on('close', end);
  channel.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > maxWaitingCharacters) channel.destroy();
    wake();
  });
  const take = (): string | null => {
    const length = text.indexOf('\n');
    if (length < 0) return null;
    const line = text.slice(0, length);
    text = text.slice(length + 1);
    return line;
  };
  return {
    next: (signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          const line = take();
          if (line === null && !hasEnded && !signal.aborted) return;
          signal.removeEventListener('abort', look);
          wake = () => undefined;
          resolve(line);
        };
        wake = look;
        signal.addEventListener('abort', look);
        look();
      }),
  };
}
