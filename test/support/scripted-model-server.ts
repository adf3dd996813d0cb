// A chat-completions server on loopback that plays a script: real HTTP, real server-sent events, real faults. It depends on
// nothing but Node, serves any number of conversations at once, and logs every request for tests and benchmarks.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { writeAnswer } from './scripted-model-answer.ts';
import { findScriptedReply, type Script, type ScriptedRequest, type WireMessage } from './scripted-model-script.ts';

export interface LoggedRequest {
  readonly path: string;
  readonly authorization: string;
  /** The client's port: the same for requests that share a connection. */
  readonly connection: number;
  readonly position: number;
  /** Milliseconds since the epoch with fractions, from a monotonic clock: when the headers were there. */
  readonly arrivedAt: number;
  /** When the last byte of the answer was handed over, or the client had left; null while it is open. */
  readonly finishedAt: number | null;
  /** The client left before the answer was complete. */
  readonly aborted: boolean;
  /** Null when bodies are not kept. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface ScriptedModelServer extends AsyncDisposable {
  /** The base URL: it ends before `/chat/completions`. */
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** Resolves as soon as the log is as asked for. */
  until(isReached: (requests: readonly LoggedRequest[]) => boolean): Promise<void>;
  /** Ends open answers too; can be called twice. */
  close(): Promise<void>;
}

export interface ScriptedModelServerOptions {
  /** False for long benchmarks: the log then holds times only. */
  readonly keepsBodies?: boolean;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startScriptedModelServer(
  script: Script,
  { keepsBodies = true }: ScriptedModelServerOptions = {},
): Promise<ScriptedModelServer> {
  const log = createLog();
  const toRequest = createRequestReader();

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = nowMs();
    if (incoming.method === 'GET') return endJson(response, 200, log.requests);
    const request = toRequest(await readJson(incoming));
    const authorization = incoming.headers.authorization ?? '';
    const finish = log.add({
      path: incoming.url ?? '',
      authorization,
      connection: incoming.socket.remotePort ?? 0,
      position: request.position,
      arrivedAt,
      finishedAt: null,
      aborted: false,
      body: keepsBodies ? request.body : null,
    });
    response.once('close', () => finish(!response.writableFinished));
    const reply = incoming.url?.endsWith('/chat/completions') ? findScriptedReply(script, request) : undefined;
    if (reply === undefined) {
      const message = `The script has no reply ${request.position} at ${incoming.url}`;
      return endJson(response, 400, { error: { message } });
    }
    const isFaulty = request.repeats < (reply.faultTimes ?? Number.POSITIVE_INFINITY);
    await writeAnswer(response, { reply, request, authorization, fault: isFaulty ? reply.fault : undefined });
    finish(!response.writableFinished);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  const url = await listen(server);
  const close = async () => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url, requests: log.requests, until: log.until, close, [Symbol.asyncDispose]: close };
}

/** The requests, and who waits for something to happen to them. */
function createLog() {
  const requests: LoggedRequest[] = [];
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  return {
    requests,
    add(request: LoggedRequest) {
      const place = requests.push(request) - 1;
      tell();
      return (aborted: boolean) => {
        if (requests[place]?.finishedAt !== null) return;
        requests[place] = { ...request, finishedAt: nowMs(), aborted };
        tell();
      };
    },
    until: (isReached: (requests: readonly LoggedRequest[]) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isReached(requests)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Finds the place of a request in its conversation, which is told apart by how it began. */
function createRequestReader() {
  const asked = new Map<string, number>();
  return (body: Readonly<Record<string, unknown>>): ScriptedRequest => {
    const messages: WireMessage[] = Array.isArray(body.messages) ? body.messages : [];
    const position = messages.filter((message) => message.role === 'assistant').length;
    const opening = messages.find((message) => message.role === 'user')?.content;
    const key = `${position} ${JSON.stringify(opening)}`;
    const repeats = asked.get(key) ?? 0;
    asked.set(key, repeats + 1);
    return { messages, position, repeats, body };
  };
}

/** So many may begin at once. */
const backlog = 4096;

async function listen(server: Server): Promise<string> {
  // A server that closes what is kept alive may do so in the moment in which it is asked.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port: 0, host: '127.0.0.1', backlog }, resolve),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

function endJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
