// The two ways in which a call comes to an end without a change, and the words that all results share.
import type { BlobHash } from '../../shared/id.ts';
import type { PreparedCall, ToolResult } from './tool.ts';

/** The call did not do what was asked; `text` says why and what to try. */
export function failed(text: string): ToolResult {
  return { status: 'failed', text, origin: 'engine', seen: [] };
}

/** A call that ends before anything was done. */
export function answer(result: ToolResult): PreparedCall {
  return { kind: 'answer', result };
}

/** Enough of a hash to tell two versions of a file apart. */
export function toShortHash(hash: BlobHash): string {
  return hash.slice(0, 12);
}

/** `1 line`, `2 lines`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A name as one line of text: what would break the line or reorder it is shown as its escape. */
export function toOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return `\\u{${digits}}`;
  });
}
