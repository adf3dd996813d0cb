// What a server said about a failure, in its own words. Every server has its own shape for it; all of them are read, none
// is trusted: whoever shows the words masks the key and shortens them first.
import { z } from 'zod';

export interface ServerWords {
  /** Code or type as the server names it, lower case; empty when it gave none. */
  readonly code: string;
  /** The whole message, of any length and with any characters. */
  readonly text: string;
}

const word = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);

const Detail = z.object({
  message: word,
  code: word,
  type: word,
  /** Routers put what the server behind them said here. */
  metadata: z.object({ raw: word }).nullish().catch(null),
});

const Body = z.object({
  error: z.union([z.string(), Detail]).nullish().catch(null),
  message: word,
  detail: word,
  code: word,
});

/** What a page has to say stands in its beginning; looking for tags in all of it could take for ever. */
const maxPageCharacters = 16 * 1024;

/** Reads an error body of any kind: JSON in the usual shapes, a web page, or plain text. */
export function readWords(body: string): ServerWords {
  const json = parseJson(body);
  if (json !== undefined) return readErrorValue(json);
  const page = body.slice(0, maxPageCharacters);
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(page)?.[1];
  return { code: '', text: title ?? page.replace(/<(style|script)[\s\S]*?<\/\1>|<[^<>]*>/gi, ' ') };
}

/** Reads an error that is already parsed, as it stands in a stream or in a body. */
export function readErrorValue(value: unknown): ServerWords {
  const parsed = Body.safeParse(value);
  if (!parsed.success) return { code: '', text: JSON.stringify(value) ?? '' };
  const { error, message, detail, code } = parsed.data;
  if (typeof error === 'string') return { code: toCode(code), text: error };
  const said = [error?.message ?? message ?? detail, error?.metadata?.raw].filter(Boolean).join(': ');
  return { code: toCode(error?.code, error?.type, code), text: said || JSON.stringify(value) };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function toCode(...names: (string | null | undefined)[]): string {
  return names.filter(Boolean).join(' ').toLowerCase();
}
