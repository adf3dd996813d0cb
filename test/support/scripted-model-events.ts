// The wire form of a scripted reply: the chunks of a stream, or one completion.
import type { ScriptedReply, ScriptedRequest } from './scripted-model-script.ts';

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The chunks of a streamed reply: text in small pieces, each call as a head and several pieces of arguments. */
export function toChunks(reply: ScriptedReply, request: ScriptedRequest): object[] {
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  for (const reasoning of split(reply.reasoning ?? '')) deltas.push({ reasoning });
  for (const content of split(reply.text ?? '')) deltas.push({ content });
  toCalls(reply, request).forEach((call, index) => {
    const { name, arguments: text } = call.function;
    deltas.push({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] });
    for (const piece of split(text)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  const chunks: object[] = deltas.map((delta) => toChunk(request, [{ index: 0, delta, finish_reason: null }]));
  chunks.push(toChunk(request, [{ index: 0, delta: {}, finish_reason: toFinishReason(reply) }]));
  const usage = toUsage(reply, request);
  if (usage !== null) chunks.push({ ...toChunk(request, []), usage });
  return chunks;
}

/** The same reply as one document. */
export function toCompletion(reply: ScriptedReply, request: ScriptedRequest): object {
  const calls = toCalls(reply, request);
  const message = {
    role: 'assistant',
    content: calls.length > 0 && !reply.text ? null : (reply.text ?? ''),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = toUsage(reply, request);
  return {
    ...toHead(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: toFinishReason(reply) }],
    ...(usage === null ? {} : { usage }),
  };
}

function toHead({ body, position }: ScriptedRequest, object: string) {
  return { id: `chatcmpl-scripted-${position}`, object, created: 1_700_000_000, model: String(body.model) };
}

function toChunk(request: ScriptedRequest, choices: readonly object[]): object {
  return { ...toHead(request, 'chat.completion.chunk'), choices };
}

function toCalls(reply: ScriptedReply, { position }: ScriptedRequest): WireCall[] {
  return (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${position}_${index}`,
    type: 'function',
    function: {
      name: call.tool,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function toFinishReason(reply: ScriptedReply): string {
  return reply.finishReason ?? (reply.calls?.length ? 'tool_calls' : 'stop');
}

function toUsage(reply: ScriptedReply, request: ScriptedRequest): object | null {
  if (reply.usage === null) return null;
  const prompt = reply.usage?.prompt ?? 10 * request.messages.length;
  const completion = reply.usage?.completion ?? 5;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: reply.usage?.cached ?? 0 },
  };
}

/** At most eight pieces, never within a surrogate pair. */
function split(text: string): string[] {
  const characters = [...text];
  const size = Math.max(4, Math.ceil(characters.length / 8));
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; from += size) pieces.push(characters.slice(from, from + size).join(''));
  return pieces;
}
