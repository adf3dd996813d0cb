// Paths of files as arguments of the git tools: each means the file of exactly that name, never a pattern or an option.
import { z } from 'zod';

export const GitPath = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.startsWith('-'), 'write a name that begins with - as ./-name')
  .refine((path) => !path.includes('\0'), 'no path holds the character U+0000');

export const GitPaths = z.array(GitPath).min(1).max(500);

/** The reading of each, for a command that shows what is in them or takes it over. */
export const toReads = (paths: readonly string[] = []) => paths.map((target) => ({ kind: 'read', target }) as const);

/** The names of a list that git has ended with `\0` each. */
export function readNames(text: string): string[] {
  return text.split('\0').filter((name) => name !== '');
}
