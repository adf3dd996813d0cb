import { createServer, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createDispatcher } from './dispatcher.ts';
import { openExchange } from './open-exchange.ts';

interface Listening extends AsyncDisposable {
  readonly url: URL;
}

async function listen(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return {
    url: new URL(`http://127.0.0.1:${address.port}/v1?a=b`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const echo = () =>
  listen(
    createServer((incoming, response) => {
      incoming
        .resume()
        .once('end', () => response.end(`${incoming.method} ${incoming.url} ${incoming.headers['x-test']}`));
    }),
  );

/** A proxy that remembers what it was asked for, answers what it can read, and opens no tunnel. */
function listenAsProxy(asked: string[]) {
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    incoming.resume().once('end', () => response.end('forwarded'));
  });
  server.on('connect', (incoming, client) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return listen(server);
}

async function post(url: URL, environment: Record<string, string>): Promise<string> {
  const dispatcher = createDispatcher({ environment });
  let text = '';
  const exchange = openExchange(
    dispatcher,
    { url, headers: { 'x-test': 'yes' }, body: Buffer.from('{}') },
    { onStart: (status) => (text += `${status} `), onData: (bytes) => (text += Buffer.from(bytes).toString()) },
  );
  const end = await exchange.ended;
  await dispatcher.close();
  return end.error === null ? text : `${text}${end.error.message}, sent: ${end.sent}`;
}

describe('createDispatcher', () => {
  it('connects directly without a proxy in the environment', async () => {
    await using target = await echo();
    expect(await post(target.url, {})).toBe('200 POST /v1?a=b yes');
  });

  it.each([
    ['HTTP_PROXY', 'http://'],
    ['http_proxy', ''],
  ])('forwards plain requests through the proxy that %s names with the scheme "%s"', async (name, scheme) => {
    const asked: string[] = [];
    await using proxy = await listenAsProxy(asked);
    const answer = await post(new URL('http://model.example/v1'), { [name]: scheme + proxy.url.host });
    expect([answer, asked]).toEqual(['200 forwarded', ['POST http://model.example/v1']]);
  });

  it('asks the proxy for a tunnel to an encrypted host, so that it sees neither key nor text', async () => {
    const asked: string[] = [];
    await using proxy = await listenAsProxy(asked);
    const answer = await post(new URL('https://model.example/v1'), { HTTPS_PROXY: proxy.url.origin });
    expect([answer, asked]).toEqual([expect.stringMatching(/403.*sent: false/), ['CONNECT model.example:443']]);
  });

  it('never sends a request for this machine through a proxy', async () => {
    await using target = await echo();
    const asked: string[] = [];
    await using proxy = await listenAsProxy(asked);
    expect(await post(target.url, { HTTP_PROXY: proxy.url.origin })).toBe('200 POST /v1?a=b yes');
    expect(asked).toEqual([]);
  });

  it('leaves out the proxy for hosts that NO_PROXY names', async () => {
    const asked: string[] = [];
    await using proxy = await listenAsProxy(asked);
    const environment = { HTTP_PROXY: proxy.url.origin, NO_PROXY: '.invalid' };
    expect(await post(new URL('http://nowhere.invalid/v1'), environment)).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(asked).toEqual([]);
  });

  it('tells of a proxy address that cannot be used, and can be closed all the same', async () => {
    const answer = await post(new URL('http://model.example/v1'), { HTTP_PROXY: 'http://[' });
    expect(answer).toMatch(/Invalid URL.*sent: false/);
  });

  it('ends open exchanges when it is closed, refuses new ones, and can be closed twice', async () => {
    await using target = await listen(createServer((_, response) => void response.flushHeaders()));
    const dispatcher = createDispatcher({ environment: {} });
    const request = { url: target.url, headers: {}, body: Buffer.from('{}') };
    const started = Promise.withResolvers<void>();
    const open = openExchange(dispatcher, request, { onStart: () => started.resolve(), onData: () => {} });
    await started.promise;
    await Promise.all([dispatcher.close(), dispatcher.close()]);
    const late = openExchange(dispatcher, request, { onStart: () => {}, onData: () => {} });
    expect(await open.ended).toMatchObject({ error: { name: 'ClientDestroyedError' }, sent: true });
    expect(await late.ended).toMatchObject({ error: { code: 'closed' }, sent: false });
  });
});
