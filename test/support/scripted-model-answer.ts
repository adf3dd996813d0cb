// Writes one scripted answer to a socket, with the fault it is to have. Nothing here waits beyond the life of the
// response: a stalled answer ends when the client leaves or the server closes.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { toChunks, toCompletion } from './scripted-model-events.ts';
import type { ScriptedFault, ScriptedReply, ScriptedRequest } from './scripted-model-script.ts';

export interface Answer {
  readonly reply: ScriptedReply;
  readonly request: ScriptedRequest;
  readonly fault: ScriptedFault | undefined;
  readonly authorization: string;
}

/** Answers `response`; resolves once the last byte is handed over, or the client has left. */
export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  const { reply, request, fault } = answer;
  if (reply.delayMs) await delay(reply.delayMs);
  if (reply.after !== undefined) await Promise.race([reply.after, left(response)]);
  if (fault !== undefined && (await writeFault(response, fault, answer))) return;
  if (request.body.stream !== true) return end(response, 200, 'application/json', toCompletion(reply, request));
  startStream(response);
  if (fault?.kind === 'stall-after-headers') return left(response);
  if (fault?.kind === 'pings-only') return writePings(response, fault.everyMs);
  const events = toChunks(reply, request).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  await writeEvents(response, [...events, 'data: [DONE]\n\n'], answer);
}

/** Faults that take the place of the whole answer; false when the fault is one of a stream. */
async function writeFault(response: ServerResponse, fault: ScriptedFault, answer: Answer): Promise<boolean> {
  switch (fault.kind) {
    case 'status': {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      const error = { message: `Scripted status ${fault.status}`, type: 'scripted', code: null };
      await end(response, fault.status, 'application/json', fault.body ?? { error });
      return true;
    }
    case 'echo-key':
      await end(response, 401, 'application/json', { error: { message: `Bad credentials: ${answer.authorization}` } });
      return true;
    case 'html-page':
      await end(response, fault.status ?? 200, 'text/html', '<html><head><title>Welcome</title></head><p>Hello</html>');
      return true;
    case 'other-body':
      await end(response, 200, fault.contentType, fault.body);
      return true;
    default:
      return false;
  }
}

async function writeEvents(response: ServerResponse, events: readonly string[], answer: Answer): Promise<void> {
  const { fault, reply } = answer;
  // The first event only opens the message; the second is the first with content.
  const opening = events.slice(0, 2).join('');
  switch (fault?.kind) {
    case 'stall-after-first-delta':
      response.write(opening);
      return left(response);
    case 'cut':
      response.write(opening, () => response.destroy());
      return left(response);
    case 'early-end':
      return finish(response, opening);
    case 'invalid-utf8':
      response.write(opening);
      return finish(response, Buffer.from([...Buffer.from('data: "'), 0xff, 0xfe, ...Buffer.from('"\n\n')]));
    case 'malformed-event':
      return finish(response, `${opening}data: {"choices":[{"delta":\n\n`);
    case 'error-event':
      return finish(response, `${opening}data: ${JSON.stringify({ error: fault.error })}\n\n`);
    case 'long-line':
      return finish(response, `${opening}data: ${'x'.repeat(fault.bytes)}\n\n`);
    case 'never-end':
      response.write(events.join(''));
      return left(response);
    case 'split-bytes':
      return writePieces(
        response,
        [...Buffer.from(events.join(''))].map((byte) => Buffer.of(byte)),
        0,
      );
    default:
      return reply.eventDelayMs ? writePieces(response, events, reply.eventDelayMs) : finish(response, events.join(''));
  }
}

async function writePieces(response: ServerResponse, pieces: readonly (string | Buffer)[], delayMs: number) {
  response.socket?.setNoDelay(true);
  for (const piece of pieces) {
    if (response.closed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), left(response)]);
    if (delayMs > 0) await delay(delayMs);
  }
  await finish(response, '');
}

async function writePings(response: ServerResponse, everyMs: number): Promise<void> {
  while (!response.closed) {
    response.write(': ping\n\n');
    await delay(everyMs);
  }
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function end(response: ServerResponse, status: number, contentType: string, body: object | string): Promise<void> {
  response.writeHead(status, { 'content-type': contentType });
  return finish(response, typeof body === 'string' ? body : JSON.stringify(body));
}

/** Resolves when everything is handed to the operating system, or never will be. */
function finish(response: ServerResponse, last: string | Buffer): Promise<void> {
  return Promise.race([new Promise<void>((resolve) => response.end(last, resolve)), left(response)]);
}

async function left(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close');
}
