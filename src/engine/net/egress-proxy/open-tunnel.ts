// A tunnel: bytes to one host that was judged, both ways, each way ending by itself. Only TLS that is meant for that very
// host goes through as it is; plain HTTP in it is read like any other request.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Connections, OpenConnection } from './connections.ts';
import { splitTarget } from './dial.ts';
import { parseTunnelTarget } from './parse-request-target.ts';
import { type Opening, readOpening } from './read-opening.ts';
import { refuseOn } from './refuse.ts';

export interface TunnelRequest {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  /** What came together with the request. */
  readonly head: Buffer;
}

export interface TunnelOptions {
  readonly connections: Connections;
  readonly openingMs: number;
  /** Has the client's request read, which is for this connection. `asked`: what the tunnel was opened to, as it was written. */
  readonly receive: (client: Duplex, tunnel: { readonly connection: OpenConnection; readonly asked: string }) => void;
}

export async function openTunnel(
  { request, client, head }: TunnelRequest,
  { connections, openingMs, receive }: TunnelOptions,
): Promise<void> {
  client.on('error', () => undefined);
  const asked = parseTunnelTarget({ url: request.url ?? '', rawHeaders: request.rawHeaders });
  if (asked.kind === 'malformed') return refuseOn(client, 400, asked.reason);
  const connection = await connections.open(asked.text);
  if (connection.kind !== 'open') {
    return refuseOn(client, connection.kind === 'refused' ? 403 : 502, `${connection.target}: ${connection.because}`);
  }
  client.once('close', () => connection.finish(null));
  if (client.destroyed) return connection.finish(null);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  const opening = await readOpening(client, head, openingMs);
  if (opening.kind === 'text') return receive(client, { connection, asked: asked.text });
  const because = findProblem(opening, connection.target);
  if (because === null) return relay(client, connection);
  connection.finish(because);
  client.end(opening.kind === 'tls' ? accessDenied : '', () => client.destroy());
}

/** A fatal alert of TLS, so that the client says more than that the connection was cut off. */
const accessDenied = Buffer.from([21, 3, 3, 0, 2, 2, 49]);

/** Why what comes is not passed on; null where it may be. */
function findProblem(opening: Opening, target: string): string | null {
  if (opening.kind !== 'tls') return 'what came through the tunnel is neither TLS nor HTTP';
  const { host } = splitTarget(target);
  const { serverName } = opening;
  if (isIP(host) !== 0) return serverName === null ? null : `TLS in the tunnel is meant for ${serverName}`;
  if (serverName === null) return 'TLS in the tunnel does not say which host it is meant for';
  const isSame = serverName.toLowerCase().replace(/\.$/, '') === host;
  return isSame ? null : `TLS in the tunnel is meant for another host, ${serverName}`;
}

async function relay(client: Duplex, connection: OpenConnection): Promise<void> {
  const { socket } = connection;
  try {
    await Promise.all([
      pipeline(client, connection.meter('sent'), socket),
      pipeline(socket, connection.meter('received'), client),
    ]);
  } catch {
    // One side is gone, or was cut off: the connection knows why.
  } finally {
    connection.finish(null);
    client.destroy();
  }
}
