// Reads an answer that came as one JSON document although a stream was asked for: some compatible servers do not stream.
import type { BodyReader, ReadResult } from './body-reader.ts';
import { classifyRefusal, toStatus } from './classify-refusal.ts';
import { collectBody } from './collect-body.ts';
import { describeFailure, type FailureFacts } from './describe-failure.ts';
import type { ReaderOptions } from './event-stream-reader.ts';
import { readWords } from './read-words.ts';
import { createReplyBuilder } from './reply-builder.ts';
import { WireChunk } from './wire-chunk.ts';

const maxReplyBytes = 64 * 1024 * 1024;

/** Creates a reader for a whole `chat.completion`. */
export function createJsonReader({ endpoint, idPrefix, onDelta }: ReaderOptions): BodyReader {
  const body = collectBody(maxReplyBytes);
  const fail = (facts: Pick<FailureFacts, 'class' | 'what' | 'words' | 'permanent'>): ReadResult => ({
    kind: 'failure',
    failure: describeFailure(endpoint, { ...facts, charge: 'unknown' }),
  });
  return {
    // Blanks are what servers send to keep the connection open while they work.
    read: (bytes) => (!body.add(bytes) ? 'stop' : bytes.some((byte) => byte > 0x20) ? 'content' : 'quiet'),
    finish(broken) {
      if (body.isFull) return fail({ class: 'malformed', what: `sent a reply of over ${maxReplyBytes} bytes` });
      if (broken !== null) return fail({ class: 'cut-off', what: 'broke off the reply', words: broken.message });
      const text = body.toText();
      const chunk = parseCompletion(text);
      const words = readWords(text);
      if (chunk?.error) {
        return fail({
          class: classifyRefusal(toStatus(words), words, false),
          what: 'reported an error',
          words: words.text,
        });
      }
      const builder = createReplyBuilder(idPrefix, onDelta);
      if (chunk?.choices?.length) builder.add(chunk);
      const reply = builder.finish(false);
      if (reply?.message.calls.every((call) => call.tool !== '')) return { kind: 'reply', reply };
      return fail({
        class: 'malformed',
        what: 'answered with JSON that is not a chat completion',
        words: words.text,
        permanent: true,
      });
    },
  };
}

function parseCompletion(text: string): WireChunk | null {
  try {
    return WireChunk.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
