// The text of a page: in the encoding that its server names, or else in whatever fits its bytes.
import { TextDecoder } from 'node:util';
import { decodeText } from './text-codec.ts';

export type DecodedPage =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly looksLike: string | null };

/** `isCut`: it ends where reading ended, and its last character may be torn. */
export async function decodePage(bytes: Uint8Array, contentType: string, isCut: boolean): Promise<DecodedPage> {
  const named = findNamedDecoder(contentType);
  const isWide = named?.encoding.startsWith('utf-16') === true; // Every other byte of it may be zero.
  const guessed = await decodeText(bytes);
  if (guessed.kind === 'binary' && !isWide) return guessed;
  return decodeWith(named ?? new TextDecoder('utf-8', { fatal: true }), bytes, isCut) ?? guessed;
}

/** Null where none is named, or one that nobody knows. */
function findNamedDecoder(contentType: string): TextDecoder | null {
  const [, charset] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  try {
    return charset === undefined ? null : new TextDecoder(charset);
  } catch {
    return null;
  }
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array, isCut: boolean): DecodedPage | null {
  try {
    return { kind: 'text', text: decoder.decode(bytes, { stream: isCut }) };
  } catch {
    return null;
  }
}
