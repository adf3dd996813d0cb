// A web server of this machine for things to be fetched from: it answers as a test says, and remembers what it was asked.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

export interface WebServer extends AsyncDisposable {
  readonly port: number;
  /** `GET /path host`, in the order in which they came. */
  readonly requests: readonly string[];
  /** Connections that are open now. */
  countConnections(): Promise<number>;
}

/** With `pem`, a key and its certificate, it speaks TLS. */
export async function startWebServer(answer: RequestListener, pem?: string): Promise<WebServer> {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(describe(request));
    answer(request, response);
  };
  const server: Server =
    pem === undefined ? createServer(listener) : createSecureServer({ key: pem, cert: pem }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return {
    port: address.port,
    requests,
    countConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function describe({ method, url, headers }: IncomingMessage): string {
  return `${method} ${url} ${headers.host}`;
}
