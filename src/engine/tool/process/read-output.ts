// What a process has written since a place in its output, once there is something or it has ended.
import { dropTornEnd } from '../../process/capture-output.ts';
import { describeEnd, toCommandResult } from '../command-result.ts';
import { toPlainOutput } from '../to-plain-output.ts';
import type { ToolResult } from '../tool.ts';
import { describeLeft } from './describe-workspace.ts';
import type { RunningProcess } from './processes.ts';

/** Of one result. */
const maxBytes = 32 * 1024;

export interface ReadOptions {
  readonly cursor: number;
  /** How long it waits for something to be there. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export async function readOutput(
  process: RunningProcess,
  { cursor, waitMs, signal }: ReadOptions,
): Promise<ToolResult> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  while (process.end === null && process.log.end <= cursor && !deadline.aborted)
    await settles(process.changed(), deadline);
  const part = process.log.read(cursor, maxBytes);
  const isLast = process.end !== null && part.next === process.log.end;
  const shown = isLast ? part.bytes : dropTornEnd(part.bytes);
  const next = part.next - (part.bytes.length - shown.length);
  const left = process.log.end - next;
  const text = [
    describeState(process),
    ...(part.droppedBytes > 0 ? [`[${part.droppedBytes} bytes before this are no longer kept]`] : []),
    toPlainOutput(Buffer.from(shown).toString('utf8')).trimEnd() || '(no output)',
    `[read on from cursor ${next}${left > 0 ? `: ${left} bytes more are there` : ''}]`,
    ...describeLeft(process),
  ];
  return { status: 'ok', text: text.join('\n'), origin: 'command', seen: [] };
}

export function describeState({ id, end }: RunningProcess): string {
  if (end === null) return `${id} runs.`;
  if (end.kind === 'refused' || end.result.kind === 'not-started') return toCommandResult(end).text;
  return `${id} has ended. ${describeEnd(end.result)}`;
}

/** Also when the signal says that it is enough. */
function settles(event: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  event.then(stop);
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
