// One request to one server, and its answer. Both are read and written anew by the same strict parser, so that nothing but
// what was understood is passed on; the connection is used for this request and no other.
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { describeFailure } from '../describe-failure.ts';
import type { OpenConnection } from './connections.ts';
import { splitTarget } from './dial.ts';
import { refuse } from './refuse.ts';
import { toForwardedHeaders } from './to-forwarded-headers.ts';

export interface ForwardOptions {
  readonly connection: OpenConnection;
  readonly path: string;
  readonly maxHeaderBytes: number;
}

/** Ends with the connection finished and the answer given, or cut off where it cannot be given whole. */
export async function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { connection, path, maxHeaderBytes }: ForwardOptions,
): Promise<void> {
  try {
    const answer = await send(incoming, { connection, path, maxHeaderBytes });
    const headers = toForwardedHeaders(answer.rawHeaders, null);
    spend(connection, 'received', headers);
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
    await pipeline(answer, connection.meter('received'), response);
    connection.finish(null);
  } catch (error) {
    const because = connection.cut ?? describeFailure(error);
    connection.finish(because);
    if (response.headersSent) response.destroy();
    else refuse(response, 502, `${connection.target}: ${because}`);
  }
}

/** Settles with the head of the answer, which may come before everything is sent. */
async function send(
  incoming: IncomingMessage,
  { connection, path, maxHeaderBytes }: ForwardOptions,
): Promise<IncomingMessage> {
  const headers = toForwardedHeaders(incoming.rawHeaders, toHostHeader(connection.target));
  spend(connection, 'sent', [incoming.method ?? '', path, ...headers]);
  const outgoing = request({
    createConnection: () => connection.socket,
    method: incoming.method,
    path,
    headers,
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  });
  const answered: Promise<[IncomingMessage]> = once(outgoing, 'response').then(([answer]) => [answer]);
  const sent = pipeline(incoming, connection.meter('sent'), outgoing);
  sent.catch(() => undefined);
  const [answer] = await Promise.race([answered, sent.then(() => answered)]);
  return answer;
}

function spend(connection: OpenConnection, direction: 'sent' | 'received', words: readonly string[]): void {
  const because = connection.spend(direction, words.join('  ').length);
  if (because !== null) throw new Error(because);
}

/** The usual port is left out, as every client does. */
function toHostHeader(target: string): string {
  return splitTarget(target).port === 80 ? target.slice(0, target.lastIndexOf(':')) : target;
}
