import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../../test/support/web-server.ts';
import { createPageFetcher, type PageEnd, type PageFetcherOptions } from './fetch-page.ts';

const never = new AbortController().signal;
const pem = readFileSync(new URL('../../../test/fixtures/self-signed.pem', import.meta.url), 'utf8');

interface Fetch extends Partial<PageFetcherOptions> {
  readonly url?: string;
  readonly judge?: (addresses: readonly string[]) => string | null;
  readonly signal?: AbortSignal;
}

/** One page of `server`, by its address unless a URL is given. */
function fetchFrom(
  { port }: Pick<WebServer, 'port'>,
  { url, judge = () => null, signal = never, ...options }: Fetch = {},
) {
  const fetchPage = createPageFetcher({ environment: {}, ...options });
  return fetchPage({ url: new URL(url?.replace('PORT', String(port)) ?? `http://127.0.0.1:${port}/`), judge }, signal);
}

const at = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const textOf = (end: PageEnd) => (end.kind === 'page' ? { ...end, bytes: Buffer.from(end.bytes).toString() } : end);

const connected = expect.stringMatching(/^127\.0\.0\.1:\d+$/);

const page = (bytes: string) => ({
  kind: 'page',
  status: 200,
  contentType: '',
  bytes,
  droppedBytes: 0,
  address: connected,
});

describe('a page', () => {
  it('is asked for with nothing that tells who asks', async () => {
    await using server = await startWebServer(({ method, url, headers }, response) => {
      response.setHeader('set-cookie', 'a=b');
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(JSON.stringify({ method, url, headers }));
    });
    const end = textOf(await fetchFrom(server, { url: 'http://127.0.0.1:PORT/a/b?c=d#part' }));
    expect(end).toEqual({ ...page(expect.any(String)), contentType: 'application/json; charset=utf-8' });
    expect(JSON.parse(end.kind === 'page' ? end.bytes : '')).toEqual({
      method: 'GET',
      url: '/a/b?c=d',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'user-agent': 'io-studio-engine',
        accept: 'text/markdown, text/plain, text/html;q=0.9, */*;q=0.5',
        'accept-encoding': 'gzip, br',
      },
    });
  });

  it.each([404, 500, 204, 304])('is a page whatever its status is: %i', async (status) => {
    await using server = await startWebServer((_, response) => response.writeHead(status).end());
    expect(textOf(await fetchFrom(server))).toEqual({ ...page(''), status });
  });

  it('is not followed where it leads on, and its content is not waited for', async () => {
    await using server = await startWebServer((_, response) => {
      response.writeHead(302, { location: '/next' }).write('moved'); // And never ends.
    });
    expect([await fetchFrom(server), server.requests.length]).toEqual([
      { kind: 'moved', location: '/next', address: connected },
      1,
    ]);
  });

  it('leaves no connection behind, whichever way it ends', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.end('whole'),
      (_, response) => response.writeHead(302, { location: '/' }).write('never ends'),
      (_, response) => void endless(response),
    ];
    for (const answer of answers) {
      await using server = await startWebServer(answer);
      await fetchFrom(server, { limits: { wallMs: 200, maxReceivedBytes: 1000 } });
      await expect.poll(() => server.countConnections()).toBe(0);
    }
  });
});

describe('the address of a page', () => {
  const hello: RequestListener = (_, response) => response.end('hello');

  it('is the one that was judged: a second look would find another (cline/cline#13494)', async () => {
    await using server = await startWebServer(hello);
    const answers = [at('127.0.0.1'), at('169.254.169.254')];
    const judged: (readonly string[])[] = [];
    const end = await fetchFrom(server, {
      url: 'http://rebinding.example:PORT/',
      resolve: async () => answers.shift() ?? at('127.0.0.9'),
      judge: (addresses) => {
        judged.push(addresses);
        return null;
      },
    });
    expect([textOf(end), judged, server.requests, answers.length]).toEqual([
      page('hello'),
      [['127.0.0.1']],
      [`GET / rebinding.example:${server.port}`],
      1,
    ]);
  });

  it('is refused with all others of its name where one of them is', async () => {
    await using server = await startWebServer(hello);
    const end = await fetchFrom(server, {
      url: 'http://mixed.example:PORT/',
      resolve: async () => at('127.0.0.1', '10.0.0.1'),
      judge: (addresses) => (addresses.includes('10.0.0.1') ? 'one is private' : null),
    });
    expect([end, server.requests]).toEqual([{ kind: 'refused', because: 'one is private' }, []]);
  });

  it('is told as the one of its name that answered', async () => {
    await using server = await startWebServer(hello);
    const resolve = async () => at('127.0.0.9', '127.0.0.1');
    const end = await fetchFrom(server, { url: 'http://two.example:PORT/', resolve });
    expect(end).toMatchObject({ kind: 'page', address: `127.0.0.1:${server.port}` });
  });

  it.each(['127.0.0.1', '0x7f.1', '2130706433', '017700000001'])(
    'is judged before anything is opened where it stands in the URL: %s',
    async (host) => {
      await using server = await startWebServer(hello);
      const judged: (readonly string[])[] = [];
      const judge = (addresses: readonly string[]) => {
        judged.push(addresses);
        return 'no';
      };
      const end = await fetchFrom(server, { url: `http://${host}:PORT/`, judge });
      expect([end, judged, server.requests]).toEqual([{ kind: 'refused', because: 'no' }, [['127.0.0.1']], []]);
    },
  );

  it('is what the system resolves where nobody says otherwise', async () => {
    await using server = await startWebServer(hello);
    expect(textOf(await fetchFrom(server, { url: 'http://localhost:PORT/' }))).toEqual(page('hello'));
  });

  it('is left to a proxy where there is one, and the result says so', async () => {
    await using proxy = await startWebServer((request, response) => response.end(`for ${request.url}`));
    const resolve = () => Promise.reject(new Error('Nobody resolves here.'));
    const environment = { HTTP_PROXY: `http://localhost:${proxy.port}` };
    const end = await fetchFrom(proxy, { url: 'http://page.example/', environment, resolve });
    expect(textOf(end)).toEqual({ ...page('for http://page.example/'), address: null });
  });

  it('is judged for what no proxy is used for', async () => {
    await using server = await startWebServer(hello);
    const environment = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'own.example' };
    const resolve = async () => at('127.0.0.1');
    expect([
      textOf(await fetchFrom(server, { url: 'http://own.example:PORT/', environment, resolve })),
      await fetchFrom(server, { url: 'http://own.example:PORT/', environment, resolve, judge: () => 'no' }),
      textOf(await fetchFrom(server, { url: 'http://localhost:PORT/', environment })),
    ]).toEqual([page('hello'), { kind: 'refused', because: 'no' }, page('hello')]);
  });
});

describe('a page without end', () => {
  it.each([
    ['plain', {}, (size: number) => Buffer.alloc(size)],
    ['as gzip', { 'content-encoding': 'gzip' }, (size: number) => gzipSync(Buffer.alloc(size))],
    ['as brotli', { 'content-encoding': 'br' }, (size: number) => brotliCompressSync(Buffer.alloc(size))],
    ['as deflate', { 'content-encoding': 'deflate' }, (size: number) => deflateSync(Buffer.alloc(size))],
  ])('is cut where it is long enough, and the rest counted: %s', async (_title, headers, compress) => {
    const content = compress(100_000);
    await using server = await startWebServer((_, response) => response.writeHead(200, headers).end(content));
    const whole = await fetchFrom(server);
    const cut = await fetchFrom(server, { limits: { maxBytes: 1000 } });
    expect([whole, cut].map((end) => end.kind === 'page' && [end.bytes.length, end.droppedBytes])).toEqual([
      [100_000, 0],
      [1000, 99_000],
    ]);
  });

  it('is read no further once it is too long', async () => {
    await using server = await startWebServer((_, response) => void endless(response));
    const end = await fetchFrom(server, { limits: { maxReceivedBytes: 100_000, maxBytes: 1000 } });
    expect(end).toMatchObject({ kind: 'page', bytes: { length: 1000 } });
    expect(end.kind === 'page' && end.droppedBytes).toBeGreaterThan(99_000);
  });

  it('is unfolded no further than to its bound, however little of it came', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await using server = await startWebServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const end = await fetchFrom(server);
    expect(end).toMatchObject({ kind: 'page', bytes: { length: 1024 * 1024 } });
    expect(end.kind === 'page' && end.droppedBytes).toBeLessThan(17 * 1024 * 1024);
  });

  it('gives its start where it was cut in the middle of its compression', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${Math.sin(index)}`).join('\n');
    await using server = await startWebServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(lines));
    });
    const end = textOf(await fetchFrom(server, { limits: { maxReceivedBytes: 50_000 } }));
    expect(end.kind === 'page' && lines.startsWith(end.bytes) && end.bytes.length).toBeGreaterThan(50_000);
  });
});

describe('what is no page', () => {
  const short = { limits: { wallMs: 300, maxHeaderBytes: 4096 } };

  it.each<[string, RequestListener, string]>([
    ['headers that never come', () => undefined, 'it took too long (TimeoutError)'],
    ['content that drips', (_, response) => drip(response), 'it took too long (TimeoutError)'],
    [
      'headers that are too long',
      (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(10_000) }).end(),
      'its headers are too long (UND_ERR_HEADERS_OVERFLOW)',
    ],
    ['a connection that is reset', ({ socket }) => socket.resetAndDestroy(), 'the connection was cut off (ECONNRESET)'],
    [
      'content that ends too soon',
      (_, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('half');
        response.destroy();
      },
      'the connection was cut off (UND_ERR_SOCKET)',
    ],
    [
      'compression that nobody asked for',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, br' }).end('x'),
      'its content is compressed in a way that is not read here',
    ],
    [
      'compression that is none',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
      'its content is damaged: it cannot be decompressed',
    ],
  ])('is told in words: %s', async (_title, answer, reason) => {
    await using server = await startWebServer(answer);
    expect(await fetchFrom(server, short)).toEqual({ kind: 'failed', reason, address: connected });
  });

  it('is told in words where the certificate is signed by nobody', async () => {
    await using server = await startWebServer((_, response) => response.end('secret'), pem);
    expect([await fetchFrom(server, { url: 'https://localhost:PORT/' }), server.requests]).toEqual([
      {
        kind: 'failed',
        reason: 'its certificate is signed by nobody known here (DEPTH_ZERO_SELF_SIGNED_CERT)',
        address: null,
      },
      [],
    ]);
  });

  it('is told in words where nothing speaks TLS, and where nothing speaks HTTP', async () => {
    await using plain = await startWebServer((_, response) => response.end());
    const other = createServer((socket) => socket.end('220 mail.example ready\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const ends = [
      await fetchFrom(plain, { url: 'https://127.0.0.1:PORT/' }),
      await fetchFrom({ port }, { url: 'http://127.0.0.1:PORT/' }),
    ];
    other.close();
    expect(ends).toEqual([
      { kind: 'failed', reason: expect.stringContaining('it does not speak TLS as it should'), address: null },
      { kind: 'failed', reason: expect.stringContaining('what came is no HTTP'), address: connected },
    ]);
  });

  it('is told in words where nothing answers, and where no name is', async () => {
    const server = await startWebServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const nowhere = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    expect([
      await fetchFrom(server),
      await fetchFrom(server, { url: 'http://a.example/', resolve: () => Promise.reject(nowhere) }),
      await fetchFrom(server, { url: 'http://a.example/', environment: { HTTP_PROXY: 'http://[' } }),
    ]).toEqual([
      { kind: 'failed', reason: 'nothing answers there (ECONNREFUSED)', address: null },
      { kind: 'failed', reason: 'its name cannot be resolved (ENOTFOUND)', address: null },
      { kind: 'failed', reason: expect.stringContaining('Invalid URL'), address: null },
    ]);
  });

  it('is given up at once when the caller wants it no more, in a look-up too', async () => {
    await using server = await startWebServer(() => caller.abort('SIGTERM'));
    const toCancelled = (address: unknown) => ({ kind: 'failed', reason: 'it was cancelled (AbortError)', address });
    const caller = new AbortController();
    const looking = new AbortController();
    const resolve = () => {
      looking.abort();
      return new Promise<LookupAddress[]>(() => undefined);
    };
    expect([
      await fetchFrom(server, { signal: caller.signal }),
      await fetchFrom(server, { url: 'http://a.example/', resolve, signal: looking.signal }),
      await fetchFrom(server, { signal: AbortSignal.abort() }),
      server.requests.length,
    ]).toEqual([...[connected, null, null].map(toCancelled), 1]);
  });
});

type Response = Parameters<RequestListener>[1];

function endless(response: Response): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function drip(response: Response): void {
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => clearInterval(timer));
}
