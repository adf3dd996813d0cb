// The border between what a model wrote and what a tool gets. Text that is not JSON is refused as it is: repaired
// arguments are a guess, and a guess must not write files.
import type { z } from 'zod';
import type { Tool } from './tool.ts';

export type ParsedArguments<Arguments> =
  | { readonly kind: 'ok'; readonly arguments: Arguments }
  /** `message` tells the model every problem at once, each with its path. */
  | { readonly kind: 'unusable'; readonly message: string };

/** Reads the arguments of one call. No text at all stands for no arguments, as some providers send it. */
export function parseArguments<Arguments>(tool: Tool<Arguments>, text: string): ParsedArguments<Arguments> {
  const json = parseJson(text.trim() === '' ? '{}' : text);
  if (json.kind === 'unusable') return { kind: 'unusable', message: `The arguments of ${tool.name} ${json.reason}.` };
  const parsed = tool.arguments.safeParse(json.value);
  if (parsed.success) return { kind: 'ok', arguments: parsed.data };
  const problems = parsed.error.issues.map(describeIssue).join('; ');
  return { kind: 'unusable', message: `The arguments of ${tool.name} do not fit: ${problems}.` };
}

type ParsedJson =
  | { readonly kind: 'ok'; readonly value: unknown }
  | { readonly kind: 'unusable'; readonly reason: string };

function parseJson(text: string): ParsedJson {
  try {
    return { kind: 'ok', value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'unusable', reason: `are not valid JSON (${why})` };
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
