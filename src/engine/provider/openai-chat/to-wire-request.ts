// Writes a request as the JSON that goes over the wire. Each message object is written once and remembered, so a step
// costs only what it adds; the same objects give the same bytes, which is what keeps a provider's prompt cache warm.
import { Buffer } from 'node:buffer';
import { assertNever } from '../../../shared/assert-never.ts';
import type { ContextMessage, MessageCall } from '../../../shared/message.ts';
import type { ModelRequest, ToolSpec } from '../model-provider.ts';

export interface WireTarget {
  readonly model: string;
  /** OpenAI's own models refuse `max_tokens`; most compatible servers know nothing else. */
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens';
}

const written = new WeakMap<object, Buffer>();
const comma = Buffer.from(',');
const end = Buffer.from(']}');

/** The body of a streaming chat-completions request, in pieces. */
export function toWireRequest(target: WireTarget, request: ModelRequest): Buffer[] {
  const pieces = [Buffer.from(toHead(target, request)), writeTools(request.tools)];
  request.messages.forEach((message, position) => {
    if (position > 0) pieces.push(comma);
    pieces.push(writeMessage(message));
  });
  pieces.push(end);
  return pieces;
}

function toHead(target: WireTarget, request: ModelRequest): string {
  const settings = {
    model: target.model,
    stream: true,
    stream_options: { include_usage: true },
    [target.outputLimitField]: request.maxOutputTokens,
  };
  return JSON.stringify(settings).slice(0, -1);
}

/** Some servers refuse an empty list of tools, so it is left out. */
function writeTools(tools: readonly ToolSpec[]): Buffer {
  return remember(tools, () => {
    const list = tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    return `${list.length === 0 ? '' : `,"tools":${JSON.stringify(list)}`},"messages":[`;
  });
}

function writeMessage(message: ContextMessage): Buffer {
  return remember(message, () => JSON.stringify(toWireMessage(message)));
}

function remember(source: object, write: () => string): Buffer {
  const known = written.get(source);
  if (known !== undefined) return known;
  const bytes = Buffer.from(write());
  written.set(source, bytes);
  return bytes;
}

function toWireMessage(message: ContextMessage) {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text };
    case 'result':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      return message.calls.length === 0
        ? { role: 'assistant', content: message.text }
        : { role: 'assistant', content: message.text || null, tool_calls: message.calls.map(toWireCall) };
    default:
      return assertNever(message);
  }
}

/** Servers that parse the arguments refuse the whole conversation for one broken call; its result says what was wrong. */
function toWireCall(call: MessageCall) {
  const text = isJsonObject(call.arguments) ? call.arguments : '{}';
  return { id: call.id, type: 'function', function: { name: call.tool, arguments: text } };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
