// The context of an agent without the results whose content is no longer kept: another one stands in their place, so that
// whoever takes the context along names nothing that is not there.
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { ContextItem } from '../../../shared/context-item.ts';
import { isEngineError } from '../../../shared/engine-error.ts';
import type { JournalReader } from '../../journal/journal.ts';

export interface ReplacedResults {
  readonly context: readonly ContextItem[];
  readonly lost: number;
}

export function replaceLostResults(
  reader: Pick<JournalReader, 'readBlob'>,
  context: readonly ContextItem[],
  instead: BlobRef,
): ReplacedResults {
  let lost = 0;
  const replaced = context.map((item): ContextItem => {
    if (item.role !== 'result') return item;
    const isThere = isKept(reader, item.blob);
    if (isThere && (item.whole.hash === item.blob.hash || isKept(reader, item.whole))) return item;
    lost += 1;
    return isThere ? { ...item, whole: item.blob } : { ...item, blob: instead, whole: instead };
  });
  return { context: replaced, lost };
}

function isKept(reader: Pick<JournalReader, 'readBlob'>, { hash }: BlobRef): boolean {
  try {
    reader.readBlob(hash);
    return true;
  } catch (error) {
    if (isEngineError(error) && error.code === 'blob-missing') return false;
    throw error;
  }
}
