// The context of an agent is a list of references; here is what one of them can be, and how an old result gives way.
import type { BlobRef } from './blob-ref.ts';

/** One message of the context, by reference. */
export type ContextItem =
  | { role: 'system' | 'user' | 'assistant'; blob: BlobRef }
  | {
      role: 'result';
      /** What the model is shown. */
      blob: BlobRef;
      callId: string;
      call: number;
      tool: string;
      target: string;
      /** The whole result, for the pointer that replaces it. */
      whole: BlobRef;
    };

export type ResultItem = Extract<ContextItem, { role: 'result' }>;

/** Whether a result is longer than the line that would stand for it: a shorter one stays in the context for good. */
export const givesWay = (item: ResultItem): boolean => pointerBytes(item) < item.blob.bytes;

/** Size of a result's pointer; an upper bound, as a character outside ASCII is taken for three bytes. */
export function pointerBytes(item: ResultItem): number {
  const pointer = toPointer(item);
  return pointer.length + 2 * (pointer.match(/[^ -~]/g) ?? []).length;
}

/** The one line that stands for a result which was taken out of the context. */
export function toPointer(item: ResultItem): string {
  const { tool, target, whole } = item;
  return `[result left out to save room: ${tool} ${target}, ${whole.bytes} bytes, sha256 ${whole.hash.slice(0, 12)}; call the tool again to see it]`;
}
