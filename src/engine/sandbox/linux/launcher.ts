// The engine's side of the launcher: what it is told, and what it answers.
import { z } from 'zod';
import type { ChildChannel } from '../../process/start-child.ts';
import type { StartFailure } from '../launch.ts';
import { readChannelLines } from './channel-lines.ts';
import { composeLauncher, type LauncherPart } from './launcher-source.ts';

/** A name that the launcher knows, and its operands. No word may hold a zero byte. */
export type Instruction = readonly [name: string, ...operands: string[]];

/** What the launcher answered. */
export type LauncherAnswer = LauncherReady | LauncherFailure;

export interface LauncherReady {
  readonly kind: 'ready';
  /** Why it could not go on once it was let go; null when it did, or `signal` said to stop waiting. */
  readRefusal(signal: AbortSignal): Promise<StartFailure | null>;
}

export type LauncherFailure = StartFailure & { readonly instruction: string | null };

/** The command line that starts the launcher. */
export function toLauncherArgv(perl: string, architecture: 'x64' | 'arm64', part: LauncherPart): [string, ...string[]] {
  return [perl, '-e', composeLauncher(part), architecture];
}

export function encodeInstructions(instructions: readonly Instruction[]): Buffer {
  const words = instructions.flatMap(([name, ...operands]) => [name, String(operands.length), ...operands]);
  return Buffer.from(joinWords([...words, '']));
}

/** Each word with the zero byte that ends it. One within a word would end it early, and make another of what follows. */
export function joinWords(words: readonly string[]): string {
  if (words.some((word) => word.includes('\0'))) throw new TypeError('A word for a program holds a zero byte');
  return words.map((word) => `${word}\0`).join('');
}

/** Sends the instructions and waits until the launcher is ready, has failed, is gone, or `signal` says to stop waiting. */
export async function instruct(
  channel: ChildChannel,
  instructions: readonly Instruction[],
  signal: AbortSignal,
): Promise<LauncherAnswer> {
  channel.write(encodeInstructions(instructions));
  const lines = readChannelLines(channel);
  const line = await lines.next(signal);
  if (line !== 'ready') return parseFailure(line) ?? toFailure(null, 'it ended before it was ready');
  return { kind: 'ready', readRefusal: async (signal) => parseFailure(await lines.next(signal)) };
}

/** Lets the launcher go on; it becomes the next program. */
export function letGo(channel: ChildChannel): void {
  channel.end('.');
}

function parseFailure(line: string | null): LauncherFailure | null {
  const failure = FailureLine.safeParse(line?.split('\t'));
  if (!failure.success) return null;
  const [, instruction, ...reason] = failure.data;
  return toFailure(instruction, `${instruction}: ${reason.join('\t')}`);
}

/** The reason may name a path, and so hold anything. */
const FailureLine = z.tuple([z.literal('failed'), z.string()], z.string());

function toFailure(instruction: string | null, reason: string): LauncherFailure {
  return {
    kind: 'not-started',
    stage: 'launcher',
    reason: `the launcher could not prepare it: ${reason}`,
    instruction,
  };
}
