// From context items to the messages of a request. A message object is made once and kept, so that the provider's own
// memory of how it wrote each message holds, and the same item always gives the same bytes.

import { assertNever } from '../../shared/assert-never.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import { type ContextItem, givesWay, toPointer } from '../../shared/context-item.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import type { AgentId, BlobHash } from '../../shared/id.ts';
import { AssistantMessage, type ContextMessage } from '../../shared/message.ts';
import type { AgentState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import { closeOrphans, interrupted } from './history/close-orphans.ts';

export interface Transcript {
  /** The messages of the agent's next request. Everything in its context must be durable. */
  toMessages(agent: AgentState): ContextMessage[];
  /** The reply a blob holds, as the model gave it. */
  readReply(blob: BlobRef): AssistantMessage;
  /** Spares `readReply` the journal for a reply that has just come, and may not be durable yet. */
  keepReply(blob: BlobRef, reply: AssistantMessage): void;
  /** Spares the next request the journal for a result that has just come. */
  keepResult(blob: BlobRef, text: string): void;
}

/** Replies and results that are still being acted on: few an agent. */
const keptItems = 64;

export function createTranscript(reader: Pick<JournalReader, 'readOriginal' | 'readBlob'>): Transcript {
  const written = new Map<AgentId, readonly WrittenItem[]>();
  const replies = createKeeper<AssistantMessage>();
  const results = createKeeper<string>();
  const decoder = new TextDecoder();

  const readReply = ({ hash }: BlobRef): AssistantMessage =>
    replies.get(hash) ?? AssistantMessage.parse(JSON.parse(decoder.decode(reader.readOriginal(hash))));

  const readText = ({ hash }: BlobRef): string => decoder.decode(reader.readBlob(hash));

  /** A result that was lost costs what it said, and not the run. */
  const readResult = (blob: BlobRef): string => {
    try {
      return readText(blob);
    } catch (error) {
      if (isEngineError(error) && error.code === 'blob-missing') return interrupted;
      throw error;
    }
  };

  const read = (item: ContextItem): ContextMessage => {
    switch (item.role) {
      case 'assistant':
        return { role: 'assistant', ...readReply(item.blob) };
      case 'result':
        return { role: 'result', callId: item.callId, text: results.get(item.blob.hash) ?? readResult(item.blob) };
      case 'system':
      case 'user':
        return { role: item.role, text: readText(item.blob) };
      default:
        return assertNever(item);
    }
  };

  const write = (item: ContextItem, isOld: boolean, before: WrittenItem | undefined): WrittenItem => {
    const same = before?.item === item ? before : null;
    if (same?.isOld === isOld) return same;
    if (isOld && item.role === 'result' && givesWay(item)) {
      return { item, isOld, message: { role: 'result', callId: item.callId, text: toPointer(item) } };
    }
    return { item, isOld, message: same?.isOld === false ? same.message : read(item) };
  };

  return {
    readReply,
    keepReply: ({ hash }, reply) => replies.keep(hash, reply),
    keepResult: ({ hash }, text) => results.keep(hash, text),
    toMessages({ agentId, context, compactedBefore }) {
      const before = written.get(agentId) ?? [];
      const now = context.map((item, place) => write(item, place < compactedBefore, before[place]));
      written.set(agentId, now);
      return closeOrphans(now.map(({ message }) => message));
    },
  };
}

/**
 * What an item was written as. Found again by its place: a context only grows at its end, and a table of thousands of items
 * would cost a long run more at every step than the step itself.
 */
interface WrittenItem {
  readonly item: ContextItem;
  /** It stands before the place up to which results give way. */
  readonly isOld: boolean;
  readonly message: ContextMessage;
}

/** Keeps the newest few. */
function createKeeper<Item>() {
  const kept = new Map<BlobHash, Item>();
  return {
    get: (hash: BlobHash) => kept.get(hash),
    keep(hash: BlobHash, item: Item) {
      kept.set(hash, item);
      const [oldest] = kept.keys();
      if (kept.size > keptItems && oldest !== undefined) kept.delete(oldest);
    },
  };
}
