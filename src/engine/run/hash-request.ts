// The name of a request by what it says, in no vendor's words: messages, tools and limit. It stands with the reply, so that
// anyone can find out later whether the same journal still gives the same request.
import { hash } from 'node:crypto';
import { BlobHash } from '../../shared/id.ts';
import type { ContextMessage } from '../../shared/message.ts';
import { toCanonicalText } from '../../shared/to-canonical-text.ts';
import type { ModelRequest, ToolSpec } from '../provider/model-provider.ts';

export function hashRequest({ messages, tools, maxOutputTokens }: ModelRequest): BlobHash {
  const parts = [String(maxOutputTokens), hashTools(tools), ...messages.map(hashMessage)];
  return BlobHash.parse(hash('sha256', parts.join('\n')));
}

/** Message objects are kept from step to step: a long context is hashed once, not with every request. */
const messageHashes = new WeakMap<ContextMessage, string>();
const toolHashes = new WeakMap<readonly ToolSpec[], string>();

function hashMessage(message: ContextMessage): string {
  const known = messageHashes.get(message) ?? hash('sha256', toCanonicalText(message));
  messageHashes.set(message, known);
  return known;
}

function hashTools(tools: readonly ToolSpec[]): string {
  const known = toolHashes.get(tools) ?? hash('sha256', toCanonicalText(tools));
  toolHashes.set(tools, known);
  return known;
}
