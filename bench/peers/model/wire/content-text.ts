// The text of a message's content, which each wire writes as a string, or as parts of several shapes.
import { z } from 'zod';

const Part = z.looseObject({ text: z.unknown(), content: z.unknown(), output: z.unknown() }).partial();

export function toContentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(toPartText).join(' ');
  return content === null || content === undefined ? '' : JSON.stringify(content);
}

function toPartText(part: unknown): string {
  const parsed = Part.safeParse(part);
  return parsed.success ? toContentText(parsed.data.text ?? parsed.data.content ?? parsed.data.output) : '';
}
