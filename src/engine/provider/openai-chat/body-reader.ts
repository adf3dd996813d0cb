// What reads the body of an answer. Readers are fed bytes as they arrive and know when enough has been read; they hold no
// socket and no timer.
import type { ModelReply, ProviderFailure } from '../model-provider.ts';

/** A reply before it is timed. */
export type ReadReply = Pick<ModelReply, 'message' | 'finish' | 'usage'>;

export type ReadResult =
  | { readonly kind: 'reply'; readonly reply: ReadReply }
  | { readonly kind: 'failure'; readonly failure: ProviderFailure };

/**
 * What the bytes amounted to. `quiet`: nothing of the answer, so silence goes on. `content`: the answer grew.
 * `whole`: the answer is there, only the end of the body is missing. `stop`: the rest is of no use.
 */
export type ReadProgress = 'quiet' | 'content' | 'whole' | 'stop';

export interface BodyReader {
  read(bytes: Uint8Array): ReadProgress;
  /** The result once nothing more is read. `broken` is why the body ended early, when it did. */
  finish(broken: Error | null): ReadResult;
}
