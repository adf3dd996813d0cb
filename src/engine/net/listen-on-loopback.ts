// A port of this machine that nobody is told of and that answers nothing: whoever connects to it has got to where the
// engine is. For finding out whether commands can.
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface LoopbackPort extends AsyncDisposable {
  readonly port: number;
}

export async function listenOnLoopback(): Promise<LoopbackPort> {
  const server = createServer((socket) => void socket.destroy());
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a numbered port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
