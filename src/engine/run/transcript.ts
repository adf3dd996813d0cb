// From context items to the messages of a request. A message object is made once and kept, so that the provider's own
// memory of how it wrote each message holds, and the same item always gives the same bytes.

import { assertNever } from '../../shared/assert-never.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import { type ContextItem, givesWay, toPointer } from '../../shared/context-item.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import type { AgentId, BlobHash } from '../../shared/id.ts';
import { headItems, isLeftOut, type LeftOut, toLeftOutNote } from '../../shared/left-out.ts';
import { AssistantMessage, type ContextMessage } from '../../shared/message.ts';
import type { AgentState } from '../../shared/run-state.ts';
import { closeOrphans, interrupted } from './history/close-orphans.ts';
import { type ContentReader, createTextReader } from './text-reader.ts';

export interface Transcript {
  /** The messages of the agent's next request. Everything in its context must be durable. */
  toMessages(agent: AgentState): ContextMessage[];
  /** The reply a blob holds, as the model gave it. */
  readReply(blob: BlobRef): AssistantMessage;
  /** Spares `readReply` the journal for a reply that has just come, and may not be durable yet. */
  keepReply(blob: BlobRef, reply: AssistantMessage): void;
  /** Spares the next request the journal for a result that has just come, or for the task of a new agent. */
  keepText(blob: BlobRef, text: string): void;
  /** The agent asks for nothing any more. */
  forget(agentId: AgentId): void;
}

/** Replies and results that are still being acted on, of all agents: what is not durable yet is found nowhere else. */
const keptBytes = 32 * 1024 * 1024;

/** How many items that have to be read are read at once. */
const readTogether = 1000;

export function createTranscript(reader: ContentReader): Transcript {
  const written = new Map<AgentId, readonly WrittenItem[]>();
  const replies = createKeeper<AssistantMessage>();
  const results = createKeeper<string>();
  const systems = createKeeper<string>();
  const texts = createTextReader(reader);

  const readReply = (blob: BlobRef): AssistantMessage => {
    const known = replies.get(blob.hash);
    if (known !== undefined) return known;
    const reply = AssistantMessage.parse(JSON.parse(texts.readOriginal(blob.hash)));
    replies.keep(blob, reply); // It is asked for once for each of its calls.
    return reply;
  };
  /** What agents begin with is the same for all of them. */
  const readSystem = (blob: BlobRef): string => {
    const text = systems.get(blob.hash) ?? texts.read(blob.hash);
    systems.keep(blob, text);
    return text;
  };

  /** A result that was lost costs what it said, and not the run. */
  const readResult = ({ hash }: BlobRef): string => {
    try {
      return results.get(hash) ?? texts.read(hash);
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
        return { role: 'result', callId: item.callId, text: readResult(item.blob) };
      case 'system':
        return { role: item.role, text: readSystem(item.blob) };
      case 'user':
        return { role: item.role, text: results.get(item.blob.hash) ?? texts.read(item.blob.hash) };
      default:
        return assertNever(item);
    }
  };

  const fetchTexts = (items: readonly ContextItem[]): void => {
    const hashes = items.map(({ blob }) => blob.hash);
    texts.fetch(hashes.filter((hash) => replies.get(hash) === undefined && results.get(hash) === undefined));
  };

  return {
    readReply,
    keepReply: replies.keep,
    keepText: results.keep,
    forget: (agentId) => void written.delete(agentId),
    toMessages({ agentId, context, compactedBefore, leftOut }) {
      const before = written.get(agentId) ?? [];
      const find = (item: ContextItem, place: number) => findWritten(item, place < compactedBefore, before[place]);
      let fetchedUpTo = 0;
      const now = context.map((item, place): WrittenItem => {
        if (isLeftOut(place, leftOut)) return place === headItems ? toNote(leftOut, before[place]) : unwritten;
        const known = find(item, place);
        if (known !== null) return known;
        if (place >= fetchedUpTo) {
          fetchedUpTo = place + readTogether;
          fetchTexts(context.slice(place, fetchedUpTo).filter((other, next) => find(other, place + next) === null));
        }
        return { item, isOld: place < compactedBefore, message: read(item) };
      });
      fetchTexts([]);
      written.set(agentId, now);
      return closeOrphans(now.flatMap(({ message }) => message ?? []));
    },
  };
}

/**
 * What an item was written as. Found again by its place: a context only grows at its end, and a table of thousands of items
 * would cost a long run more at every step than the step itself.
 */
interface WrittenItem {
  /** Null: it stands for others, or for nothing. */
  readonly item: ContextItem | null;
  /** It stands before the place up to which results give way. */
  readonly isOld: boolean;
  readonly message: ContextMessage | null;
}

const unwritten: WrittenItem = { item: null, isOld: true, message: null };

/** The line for what is left out stands at the place of its first item, as the same object as long as it says the same. */
function toNote(leftOut: LeftOut, before: WrittenItem | undefined): WrittenItem {
  const text = toLeftOutNote(leftOut);
  const isSame = before?.item === null && before.message?.role === 'user' && before.message.text === text;
  return isSame ? before : { item: null, isOld: true, message: { role: 'user', text } };
}

/** What stands for an item without anything being read. */
function findWritten(item: ContextItem, isOld: boolean, before: WrittenItem | undefined): WrittenItem | null {
  const same = before?.item === item ? before : null;
  if (same?.isOld === isOld) return same;
  if (isOld && item.role === 'result' && givesWay(item)) {
    return { item, isOld, message: { role: 'result', callId: item.callId, text: toPointer(item) } };
  }
  return same?.isOld === false ? { item, isOld, message: same.message } : null;
}

/** Keeps the newest, as far as there is room, and the newest of all in any case. */
function createKeeper<Item>() {
  const kept = new Map<BlobHash, { readonly item: Item; readonly bytes: number }>();
  let heldBytes = 0;
  const drop = (hash: BlobHash): void => {
    heldBytes -= kept.get(hash)?.bytes ?? 0;
    kept.delete(hash);
  };
  return {
    get: (hash: BlobHash) => kept.get(hash)?.item,
    keep({ hash, bytes }: BlobRef, item: Item) {
      drop(hash);
      kept.set(hash, { item, bytes });
      heldBytes += bytes;
      for (const oldest of kept.keys()) {
        if (heldBytes <= keptBytes || oldest === hash) break;
        drop(oldest);
      }
    },
  };
}
