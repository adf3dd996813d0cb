// The engine's side of the launcher: what it is told, and what it answers.
import { z } from 'zod';
import type { StartFailure } from '../launch.ts';
import type { ChannelLines } from './channel-lines.ts';

/** A name that the launcher knows, and its operands. No word may hold a zero byte. */
export type Instruction = readonly [name: string, ...operands: string[]];

export type LauncherFailure = StartFailure & { readonly instruction: string | null };

/** As the launcher reads them. */
export function toWords(instructions: readonly Instruction[]): string[] {
  return instructions.flatMap(([name, ...operands]) => [name, String(operands.length), ...operands]);
}

/** Each word with the zero byte that ends it. One within a word would end it early, and make another of what follows. */
export function joinWords(words: readonly string[]): string {
  if (words.some((word) => word.includes('\0'))) throw new TypeError('A word for a program holds a zero byte');
  return words.map((word) => `${word}\0`).join('');
}

/** Waits until the launcher is ready; else why it is not. Null too when `signal` says to stop waiting. */
export async function waitForReady(lines: ChannelLines, signal: AbortSignal): Promise<LauncherFailure | null> {
  const line = await lines.next(signal);
  return line === 'ready' ? null : (parseFailure(line) ?? toFailure(null, 'it ended before it was ready'));
}

/** Why the launcher could not do something; null for a line that says no such thing. */
export function parseFailure(line: string | null): LauncherFailure | null {
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
