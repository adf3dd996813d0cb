// Reads a streamed answer: bytes, decoded as one stream, cut into server-sent events, each a chunk of the reply. Size is
// bounded per event and per reply, and whatever is wrong with the stream ends it with a named failure.
import { createParser } from 'eventsource-parser';
import type { ModelDelta } from '../model-provider.ts';
import type { BodyReader, ReadResult } from './body-reader.ts';
import { classifyRefusal, toStatus } from './classify-refusal.ts';
import { describeFailure, type Endpoint, type FailureFacts } from './describe-failure.ts';
import { readErrorValue, readWords } from './read-words.ts';
import { createReplyBuilder } from './reply-builder.ts';
import { WireChunk } from './wire-chunk.ts';

const maxEventCharacters = 4 * 1024 * 1024;
const maxOpeningCharacters = 1000;
const maxReplyBytes = 64 * 1024 * 1024;

export interface ReaderOptions {
  readonly endpoint: Endpoint;
  readonly idPrefix: string;
  readonly onDelta: (delta: ModelDelta) => void;
}

type Fault = Pick<FailureFacts, 'class' | 'what' | 'words'>;

/** Creates a reader for one stream. */
export function createEventStreamReader({ endpoint, idPrefix, onDelta }: ReaderOptions): BodyReader {
  const builder = createReplyBuilder(idPrefix, onDelta);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let fault: Fault | null = null;
  let totalBytes = 0;
  let opening = '';
  let anyEvent = false;
  let grew = false;
  let isDone = false;

  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => {
      anyEvent = true;
      if (fault !== null || isDone) return;
      if (data.trim() === '[DONE]') {
        isDone = true;
        return;
      }
      const chunk = parseChunk(data);
      fault = toChunkFault(chunk, data);
      if (chunk !== null && fault === null && builder.add(chunk)) grew = true;
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') fault ??= eventTooLarge;
    },
  });

  function decode(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes, { stream: true });
    } catch {
      fault ??= notUtf8;
      return '';
    }
  }

  return {
    read(bytes) {
      if (isDone) return 'quiet';
      grew = false;
      totalBytes += bytes.byteLength;
      if (totalBytes > maxReplyBytes) fault ??= replyTooLarge;
      const text = fault === null ? decode(bytes) : '';
      if (opening.length < maxOpeningCharacters) opening += text.slice(0, maxOpeningCharacters);
      if (text !== '') parser.feed(text);
      if (fault !== null) return 'stop';
      return isDone ? 'whole' : grew ? 'content' : 'quiet';
    },
    finish(broken): ReadResult {
      // What goes wrong after a reply is whole does not undo it.
      const reply = builder.finish(isDone);
      const isNameless = reply?.message.calls.some((call) => call.tool === '') ?? false;
      if (reply !== null && !isNameless) return { kind: 'reply', reply };
      const ended = anyEvent || broken !== null ? toCutOff(broken) : toNotAStream(opening);
      const facts = isNameless ? namelessCall : (fault ?? ended);
      return { kind: 'failure', failure: describeFailure(endpoint, { ...facts, charge: 'unknown' }) };
    },
  };
}

const eventTooLarge: Fault = { class: 'malformed', what: `sent an event of over ${maxEventCharacters} characters` };
const replyTooLarge: Fault = { class: 'malformed', what: `sent a reply of over ${maxReplyBytes} bytes` };
const notUtf8: Fault = { class: 'malformed', what: 'sent bytes that are not UTF-8' };
const namelessCall: Fault = { class: 'malformed', what: 'sent a tool call without a name' };

function toNotAStream(opening: string) {
  return {
    class: 'malformed',
    what: 'answered with something that is not an event stream',
    words: readWords(opening).text,
    permanent: true,
  } as const;
}

function toCutOff(broken: Error | null) {
  const what = 'ended the stream in the middle of the reply';
  return { class: 'cut-off', what, ...(broken === null ? {} : { words: broken.message }) } as const;
}

function parseChunk(data: string): WireChunk | null {
  try {
    return WireChunk.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** An error in place of a chunk: the request was accepted and may be billed, but no reply will come of it. */
function toChunkFault(chunk: WireChunk | null, data: string): Fault | null {
  if (chunk === null) {
    return { class: 'malformed', what: 'sent an event that is not a chat-completions chunk', words: data };
  }
  if (!chunk.error && chunk.choices?.[0]?.finish_reason !== 'error') return null;
  const words = readErrorValue(chunk);
  return {
    class: classifyRefusal(toStatus(words), words, false),
    what: 'reported an error in the middle of the reply',
    words: words.text,
  };
}
