// The proxy of one command, on a socket that nobody finds who is not handed it. Each request is read by Node's strict
// parser, judged, and sent over a connection of its own.
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { EngineError } from '../../../shared/engine-error.ts';
import { systemResolver } from '../judged-lookup.ts';
import { type Connections, createConnections, type OpenConnection } from './connections.ts';
import { defaultEgressLimits, type EgressLimits, type EgressProxy, type EgressProxyOptions } from './egress-proxy.ts';
import { forwardRequest } from './forward-request.ts';
import { openTunnel } from './open-tunnel.ts';
import { parseRequestTarget } from './parse-request-target.ts';
import { refuse, refuseOn } from './refuse.ts';

/** Throws `sandbox-unavailable`. */
export async function openEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const limits = { ...defaultEgressLimits, ...options.limits };
  const connections = createConnections({ ...options, resolve: options.resolve ?? systemResolver, limits });
  const server = createProxyServer(connections, limits);
  const clients = new Set<Duplex>();
  server.on('connection', (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  const socket = join(options.directory, 'proxy');
  await listen(server, socket);
  const close = async (): Promise<void> => {
    const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of clients) client.destroy();
    await Promise.all([connections.close(), isClosed]);
  };
  let closed: Promise<void> | undefined;
  return {
    socket,
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
}

/** The directory keeps everybody else away. Of those who are handed the socket, it must take any user. */
async function listen(server: Server, path: string): Promise<void> {
  try {
    server.listen(path);
    await once(server, 'listening');
    // A connection that could not be taken, as for want of descriptors, is its client's loss.
    server.on('error', () => undefined);
    chmodSync(path, 0o666);
  } catch (cause) {
    server.close();
    throw new EngineError('sandbox-unavailable', `The way out for a command cannot be opened at ${path}.`, {
      remedy: 'Free space there, or set TMPDIR to a directory with a shorter path that you may write to.',
      cause,
    });
  }
}

interface Tunnel {
  readonly connection: OpenConnection;
  /** What it was opened to, as it was written. */
  readonly asked: string;
}

function createProxyServer(connections: Connections, limits: EgressLimits): Server {
  const { maxHeaderBytes, headerMs, maxConnections } = limits;
  const tunnels = new Map<Duplex, Tunnel>();
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headerMs,
    requestTimeout: 0,
    connectionsCheckingInterval: headerMs / 10,
    insecureHTTPParser: false,
  });
  // A second request would have to be told apart from what follows the first one.
  server.maxRequestsPerSocket = 1;
  server.maxConnections = maxConnections;
  // No version of Node is to leave some out without a word, and with them how the content is framed; their bytes are limited.
  server.maxHeadersCount = 0;
  const receive = (client: Duplex, tunnel: Tunnel): void => {
    tunnels.set(client, tunnel);
    client.once('close', () => tunnels.delete(client));
    server.emit('connection', client);
    client.resume();
  };
  const takeTunnel = (client: Duplex): Tunnel | null => {
    const tunnel = tunnels.get(client) ?? null;
    tunnels.delete(client);
    return tunnel;
  };
  server.on('request', (request, response) => {
    const tunnel = takeTunnel(request.socket);
    answer(request, response, { connections, tunnel, maxHeaderBytes }).catch(() => response.destroy());
  });
  server.on('connect', (request, client, head) => {
    if (takeTunnel(client) !== null) return refuseOn(client, 400, 'there is no tunnel in a tunnel');
    openTunnel({ request, client, head }, { connections, openingMs: headerMs, receive }).catch(() => client.destroy());
  });
  server.on('clientError', (_, client) => {
    takeTunnel(client)?.connection.finish('what came through the tunnel is neither TLS nor HTTP');
    refuseOn(client, 400, 'this is no request that can be read, or it took too long');
  });
  return server;
}

interface AnswerOptions {
  readonly connections: Connections;
  /** Through which the request came, with the connection that is for it; null for one to the proxy itself. */
  readonly tunnel: Tunnel | null;
  readonly maxHeaderBytes: number;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { connections, tunnel, maxHeaderBytes }: AnswerOptions,
): Promise<void> {
  const { url = '', rawHeaders } = request;
  const asked = parseRequestTarget({ url, rawHeaders }, tunnel?.asked ?? null);
  if (asked.kind === 'malformed') {
    tunnel?.connection.finish(asked.reason);
    return refuse(response, 400, asked.reason);
  }
  const connection = tunnel?.connection ?? (await connections.open(asked.text));
  if (connection.kind !== 'open') {
    const status = connection.kind === 'refused' ? 403 : 502;
    return refuse(response, status, `${connection.target}: ${connection.because}`);
  }
  await forwardRequest(request, response, { connection, path: asked.path, maxHeaderBytes });
}
