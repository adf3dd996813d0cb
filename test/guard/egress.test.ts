// The way out of a command's sandbox, with the real policy and real servers of this machine: what may be reached is decided
// for every request and for every address, and nothing else is let through.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createNetServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { type Egress, type EgressSetting, openEgress, readToEnd } from '../support/egress.ts';
import { startWebServer } from '../support/web-server.ts';

const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url), 'utf8');

const get = (url: string, host = new URL(url).host) => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const tunnel = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

/** Names of the test that lead to this machine, which is allowed by its address. */
const own = { 'good.example': [['127.0.0.1']], 'bad.example': [['127.0.0.1']] };

async function startServers() {
  const web = await startWebServer((request, response) => {
    request.resume().once('end', () => response.end(`hello ${request.headers.host}`));
  });
  const here = `127.0.0.1:${web.port}`;
  return { web, port: web.port, here, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

describe('a command behind the proxy', () => {
  it('reaches an allowed host by http, with the path byte by byte as it was asked for', async () => {
    await using servers = await startServers();
    const { port, here } = servers;
    await using egress = await openEgress({ allow: [`good.example:${port}`, here], names: own });
    const path = '/a/%2e%2e/b//c?d=%7e&e=/../';
    const answer = await egress.say(get(`http://Good.Example.:${port}${path}`));
    expect([answer.split('\r\n\r\n').at(-1), servers.web.requests, egress.resolved, egress.attempts]).toEqual([
      expect.stringContaining(`hello good.example:${port}`),
      [`GET ${path} good.example:${port}`],
      ['good.example'],
      [
        {
          target: `good.example:${port}`,
          address: here,
          allowed: true,
          because: null,
          sentBytes: expect.any(Number),
          receivedBytes: expect.any(Number),
        },
      ],
    ]);
  });

  it('reaches an allowed host through a tunnel that carries TLS for it', async () => {
    await using server = await startWebServer((_, response) => response.end('hello'), pem);
    const setting = { allow: ['good.example', `127.0.0.1:${server.port}`], names: own };
    await using egress = await openEgress(setting);
    const client = await egress.connect();
    client.write(tunnel(`good.example:${server.port}`));
    const [head] = await once(client, 'data');
    const secure = connectTls({ socket: client, servername: 'good.example', rejectUnauthorized: false });
    secure.write(`GET / HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n`);
    expect([String(head), await readToEnd(secure)]).toEqual([
      'HTTP/1.1 200 Connection established\r\n\r\n',
      expect.stringContaining('hello'),
    ]);
  });

  it('reaches an allowed host by http through a tunnel, as some clients do it', async () => {
    await using servers = await startServers();
    const { port, here } = servers;
    await using egress = await openEgress({ allow: ['good.example', here], names: own });
    const client = await egress.connect();
    client.write(tunnel(`good.example:${port}`));
    await once(client, 'data');
    client.write(`GET /x HTTP/1.1\r\nHost: good.example:${port}\r\n\r\n`);
    expect([await readToEnd(client), servers.web.requests, egress.resolved]).toEqual([
      expect.stringContaining(`hello good.example:${port}`),
      [`GET /x good.example:${port}`],
      ['good.example'],
    ]);
  });

  const names = {
    ...own,
    'cloud.example': [['169.254.169.254']],
    'mixed.example': [['93.184.216.34', '127.0.0.1']],
    'mapped.example': [['::ffff:127.0.0.1']],
    'linked.example': [['fe80::1%eth0']],
    'nat.example': [['64:ff9b::7f00:1']],
    'old.example': [['2002:7f00:1::']],
    'carrier.example': [['100.64.0.1']],
    'azure.example': [['168.63.129.16']],
    'alibaba.example': [['100.100.100.200']],
    'amazon.example': [['fd00:ec2::254']],
  };

  it.each<[what: string, host: string, setting?: EgressSetting]>([
    ['another host', 'bad.example'],
    ['an address by number', '127.0.0.1'],
    ['an address by one number', '2130706433'],
    ['an address by octal numbers', '0177.0.0.1'],
    ['an address by hexadecimal numbers', '0x7f.1'],
    ['an address by few numbers', '127.1'],
    ['an address in brackets', '[::1]'],
    ['a mapped address in brackets', '[::ffff:127.0.0.1]'],
    ['a zone in an address', '[fe80::1%25eth0]'],
    ['a name and password', 'good.example@bad.example'],
    ['a name with a backslash', 'good.example\\bad.example'],
    ['a name with an escape', 'good%2eexample'],
    ['a name that leads to the keys of a cloud', 'cloud.example', { allow: ['*'] }],
    ['a name that leads here as well', 'mixed.example', { allow: ['*'] }],
    ['a name that leads to a mapped address', 'mapped.example', { allow: ['*'] }],
    ['a name that leads to a zone', 'linked.example', { allow: ['*'] }],
    ['a name that leads through NAT64', 'nat.example', { allow: ['*'] }],
    ['a name that leads through 6to4', 'old.example', { allow: ['*'] }],
    ['a name that leads into the network of a provider', 'carrier.example', { allow: ['*'] }],
    ["a name that leads to Azure's own address", 'azure.example', { allow: ['*'] }],
    ["a name that leads to Alibaba's own address", 'alibaba.example', { allow: ['*'] }],
    ["a name that leads to Amazon's own address", 'amazon.example', { allow: ['*'] }],
    ['a name that its own rule does not take in', 'example', { allow: ['*.example'] }],
    ['what asks, where nobody was asked', 'good.example', { ask: ['good.example'] }],
    ['what is denied by a rule for its address', 'good.example', { allow: ['good.example'], deny: ['127.0.0.*'] }],
    ['what is allowed at another port', 'good.example', { allow: ['good.example:1'] }],
  ])('does not reach %s, neither by a request nor by a tunnel', async (_what, host, setting) => {
    await using servers = await startServers();
    const { port } = servers;
    await using egress = await openEgress({ allow: ['good.example'], ...setting, names });
    const authority = `${host}:${port}`;
    const answers = [await egress.say(get(`http://${authority}/`, authority)), await egress.say(tunnel(authority))];
    expect([answers.map(toStatus), await servers.web.countConnections()]).toEqual([
      [expect.stringMatching(/^40[03]$/), expect.stringMatching(/^40[03]$/)],
      0,
    ]);
    expect(egress.attempts.every(({ allowed, address }) => !allowed && address === null)).toBe(true);
  });

  it('is judged by the address that is then connected to, however the name is answered the next time', async () => {
    await using servers = await startServers();
    const { port, here } = servers;
    const rebinding = { 'good.example': [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']] };
    await using egress = await openEgress({ allow: ['good.example', here], names: rebinding });
    const answers = [];
    for (let each = 0; each < 3; each++) answers.push(await egress.say(get(`http://good.example:${port}/${each}`)));
    expect([answers.map(toStatus), servers.web.requests.length, egress.attempts.map(({ address }) => address)]).toEqual(
      [['200', '403', '200'], 2, [here, null, here]],
    );
  });

  it('reaches what was asked about, at that port and nowhere else', async () => {
    await using servers = await startServers();
    await using other = await startServers();
    const approved = [`good.example:${servers.port}`];
    const allow = [servers.here, other.here];
    await using egress = await openEgress({ ask: ['*.example'], allow, approved, names: own });
    expect([
      toStatus(await egress.say(get(`http://good.example:${servers.port}/`))),
      toStatus(await egress.say(get(`http://good.example:${other.port}/`))),
      toStatus(await egress.say(get(`http://bad.example:${servers.port}/`))),
      egress.attempts.map(({ because }) => because),
    ]).toEqual([
      '200',
      '403',
      '403',
      [
        null,
        expect.stringMatching(/must be asked for by the rule "\*\.example".*, and nobody was asked$/),
        expect.stringMatching(/must be asked for by the rule "\*\.example".*, and nobody was asked$/),
      ],
    ]);
  });

  it('is led on by a redirect only to what is permitted by itself', async () => {
    await using server = await startWebServer((_, response) => {
      response.writeHead(302, { location: `http://bad.example:${server.port}/` }).end();
    });
    await using egress = await openEgress({ allow: ['good.example', `127.0.0.1:${server.port}`], names: own });
    const first = await egress.say(get(`http://good.example:${server.port}/`));
    const [, location = ''] = /^location: (.*)$/im.exec(first) ?? [];
    expect([toStatus(first), toStatus(await egress.say(get(location))), server.requests.length]).toEqual([
      '302',
      '403',
      1,
    ]);
  });

  it('is told why, and so is whoever runs it', async () => {
    await using egress = await openEgress({ names: own });
    const because = expect.stringContaining('net of "good.example:80" is denied by default');
    expect([await egress.say(get('http://good.example/')), egress.attempts]).toEqual([
      because,
      [{ target: 'good.example:80', address: null, allowed: false, because, sentBytes: 0, receivedBytes: 0 }],
    ]);
  });

  it('finds out that nothing answers, and that there is no such name', async () => {
    await using gone = await startServers();
    const { port, here } = gone;
    await gone[Symbol.asyncDispose]();
    await using egress = await openEgress({ allow: ['*.example', here], names: own });
    expect([
      toStatus(await egress.say(get(`http://good.example:${port}/`))),
      toStatus(await egress.say(tunnel('unknown.example:443'))),
      egress.attempts.map(({ because }) => because),
    ]).toEqual(['502', '502', ['nothing answers there (ECONNREFUSED)', 'its name cannot be resolved (ENOTFOUND)']]);
  });

  it('takes names in other letters for what they stand for', async () => {
    await using servers = await startServers();
    const { port, here } = servers;
    const setting = {
      allow: [`xn--bcher-kva.example:${port}`, here],
      names: { 'xn--bcher-kva.example': [['127.0.0.1']] },
    };
    await using egress = await openEgress(setting);
    expect([
      toStatus(await egress.say(get(`http://XN--BCHER-KVA.example:${port}/`))),
      egress.attempts.map(({ target }) => target),
    ]).toEqual(['200', [`xn--bcher-kva.example:${port}`]]);
  });
});

describe('a tunnel', () => {
  async function reach(servername: string | null, host = 'good.example') {
    await using server = await startWebServer((_, response) => response.end('hello'), pem);
    const allow = ['good.example', '127.0.0.1'];
    await using egress = await openEgress({ allow, names: own });
    const client = await egress.connect();
    client.write(tunnel(`${host}:${server.port}`));
    await once(client, 'data');
    const options = { socket: client, rejectUnauthorized: false, checkServerIdentity: () => undefined };
    const secure = connectTls(servername === null ? options : { ...options, servername });
    const [event] = await Promise.race([
      once(secure, 'secureConnect').then(() => ['secure']),
      once(secure, 'close').then(() => ['closed']),
      new Promise<string[]>((resolve) => secure.once('error', (error) => resolve([error.message]))),
    ]);
    client.destroy();
    await egress[Symbol.asyncDispose]();
    return [event, egress.attempts.map(({ because, sentBytes }) => [because, sentBytes > 0]), server.requests.length];
  }

  it.each<[what: string, servername: string | null, host: string, attempt: unknown[]]>([
    ['for its host', 'good.example', 'good.example', ['secure', [[null, true]], 0]],
    ['for its host in capitals', 'GOOD.example', 'good.example', ['secure', [[null, true]], 0]],
    ['for an address, which TLS does not name', null, '127.0.0.1', ['secure', [[null, true]], 0]],
    [
      'for another host',
      'bad.example',
      'good.example',
      [
        expect.stringContaining('access denied'),
        [['TLS in the tunnel is meant for another host, bad.example', false]],
        0,
      ],
    ],
    [
      'for nobody it names',
      null,
      'good.example',
      [
        expect.stringContaining('access denied'),
        [['TLS in the tunnel does not say which host it is meant for', false]],
        0,
      ],
    ],
    [
      'for a name, where it leads to an address',
      'bad.example',
      '127.0.0.1',
      [expect.stringContaining('access denied'), [['TLS in the tunnel is meant for bad.example', false]], 0],
    ],
  ])('carries TLS %s, or ends', async (_what, servername, host, expected) => {
    expect(await reach(servername, host)).toEqual(expected);
  });

  it.each<[what: string, bytes: string | Buffer, because: string]>([
    ['a greeting of SSH', 'SSH-2.0-OpenSSH_9.2\r\n', 'what came through the tunnel is neither TLS nor HTTP'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'what came through the tunnel is neither TLS nor HTTP'],
    ['zeros', Buffer.alloc(100), 'what came through the tunnel is neither TLS nor HTTP'],
    ['damaged TLS', Buffer.from('16030100050100ffffff', 'hex'), 'what came through the tunnel is neither TLS nor HTTP'],
    ['endless TLS', Buffer.from('160301400001003ffc', 'hex'), 'what came through the tunnel is neither TLS nor HTTP'],
    ['nothing', '', 'what came through the tunnel is neither TLS nor HTTP'],
    [
      'a request for another host',
      'GET / HTTP/1.1\r\nHost: bad.example\r\n\r\n',
      'its Host header names another host than the request',
    ],
    [
      'a request for another host by its URL',
      'GET http://bad.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n',
      'a request in a tunnel names a path',
    ],
  ])('does not carry %s', async (_what, bytes, because) => {
    await using servers = await startServers();
    const { port, here } = servers;
    const setting = { allow: ['good.example', here], names: own, limits: { headerMs: 500 } };
    await using egress = await openEgress(setting);
    const client = await egress.connect();
    client.write(tunnel(`good.example:${port}`));
    await once(client, 'data');
    client.write(bytes);
    await readToEnd(client);
    expect([egress.attempts, servers.web.requests]).toEqual([
      [expect.objectContaining({ allowed: true, because, sentBytes: 0, receivedBytes: 0 })],
      [],
    ]);
  });

  async function listen(answer: (socket: Socket, received: () => Buffer) => void) {
    const pieces: Buffer[] = [];
    const received = (): Buffer => Buffer.concat(pieces);
    const server = createNetServer({ allowHalfOpen: true }, (socket) => {
      socket.on('data', (piece) => pieces.push(piece));
      answer(socket, received);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const here = `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
    return { here, received, [Symbol.dispose]: () => void server.close() };
  }

  async function enter(egress: Egress, here: string): Promise<Socket> {
    const client = await egress.connect();
    client.write(tunnel(here));
    await once(client, 'data');
    client.write(unnamedHello);
    return client;
  }

  it('stays open to the client when the client has said all', async () => {
    using server = await listen((socket) => socket.on('end', () => socket.end('all of it came')));
    await using egress = await openEgress({ allow: [server.here] });
    const client = await enter(egress, server.here);
    client.end('rest');
    expect([await readToEnd(client), server.received().subarray(unnamedHello.length).toString()]).toEqual([
      'all of it came',
      'rest',
    ]);
  });

  it('stays open to the server when the server has said all', async () => {
    const ended = Promise.withResolvers<void>();
    using server = await listen((socket) => {
      socket.once('data', () => socket.end('that is all'));
      socket.once('end', () => ended.resolve());
    });
    await using egress = await openEgress({ allow: [server.here] });
    const client = await enter(egress, server.here);
    client.resume();
    await once(client, 'end');
    client.end('rest');
    await ended.promise;
    expect(server.received().subarray(unnamedHello.length).toString()).toBe('rest');
  });
});

describe('a request that another server could read differently', () => {
  it.each<[what: string, request: (url: string, host: string) => string]>([
    [
      'two lengths',
      (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    ['a list of lengths', (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1, 1\r\n\r\na`],
    [
      'a length and chunks',
      (url, host) =>
        `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'an unknown framing',
      (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a folded header',
      (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a space before a colon', (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length : 1\r\n\r\na`],
    ['lines that end in one byte', (url, host) => `GET ${url} HTTP/1.1\nHost: ${host}\n\n`],
    [
      'chunks with a strange size',
      (url, host) => `POST ${url} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n`,
    ],
    ['two hosts', (url, host) => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`],
    ['another host', (url) => `GET ${url} HTTP/1.1\r\nHost: bad.example\r\n\r\n`],
    ['no host', (url) => `GET ${url} HTTP/1.1\r\n\r\n`],
    ['no host in the old version', (url) => `GET ${url} HTTP/1.0\r\n\r\n`],
    ['no URL', (_, host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a URL of https', (url, host) => `GET ${url.replace('http:', 'https:')} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a name and password', (url, host) => `GET ${url.replace('//', '//a:b@')} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a tunnel with content', (_, host) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\n\r\na`],
    ['a tunnel for another host', (_, host) => `CONNECT ${host} HTTP/1.1\r\nHost: bad.example\r\n\r\n`],
    ['a tunnel without a port', () => 'CONNECT good.example HTTP/1.1\r\nHost: good.example\r\n\r\n'],
  ])('is not passed on: %s', async (_what, request) => {
    await using servers = await startServers();
    const { port, here } = servers;
    await using egress = await openEgress({ allow: ['*.example', here], names: own });
    const host = `good.example:${port}`;
    const answer = await egress.say(request(`http://${host}/`, host));
    expect([toStatus(answer), servers.web.requests]).toEqual([expect.stringMatching(/^(400|403|502)$/), []]);
  });

  it('is not passed on behind another one', async () => {
    await using servers = await startServers();
    const { port, here } = servers;
    await using egress = await openEgress({ allow: ['good.example', here], names: own });
    const url = `http://good.example:${port}`;
    const answer = await egress.say(get(`${url}/1`) + get(`${url}/2`));
    expect([toStatus(answer), servers.web.requests]).toEqual(['200', [`GET /1 good.example:${port}`]]);
  });

  const inner = 'GET /inner HTTP/1.1\r\nHost: good.example\r\n\r\n';
  const length = `Content-Length: ${inner.length}`;

  it.each<[what: string, headers: string, content: string]>([
    ['whose length is said to be of one connection', `Connection: content-length\r\n${length}`, inner],
    [
      'whose chunks are said to be of one connection',
      'Connection: transfer-encoding\r\nTransfer-Encoding: chunked',
      `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    ],
  ])('is not passed on as the content of another one %s', async (_what, headers, content) => {
    const requests: string[] = [];
    const bodies: string[] = [];
    await using server = await startWebServer((request, response) => {
      requests.push(request.url ?? '');
      request.on('data', (piece) => bodies.push(String(piece))).once('end', () => response.end('ok'));
    });
    const here = `127.0.0.1:${server.port}`;
    await using egress = await openEgress({ allow: [here] });
    const answer = await egress.say(
      `GET http://${here}/outer HTTP/1.1\r\nHost: ${here}\r\n${headers}\r\n\r\n${content}`,
    );
    expect([toStatus(answer), requests, bodies.join('')]).toEqual(['200', ['/outer'], inner]);
  });

  it('is passed on without what speaks of one connection', async () => {
    const seen: string[][] = [];
    await using server = await startWebServer((request, response) => {
      seen.push(request.rawHeaders);
      request.resume();
      response
        .writeHead(200, { connection: 'x-own', 'x-own': '1', 'keep-alive': 'timeout=5', 'x-kept': '2' })
        .end('ok');
    });
    const here = `127.0.0.1:${server.port}`;
    await using egress = await openEgress({ allow: [here] });
    const answer = await egress.say(
      `POST http://${here}/ HTTP/1.1\r\nHost: ${here}\r\nConnection: X-Named, keep-alive\r\nX-Named: 1\r\nKeep-Alive: 5\r\n`,
      'Proxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\nX-Kept: 3\r\n',
      'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
    );
    expect([seen, /x-own|keep-alive/i.test(answer), /x-kept: 2/i.test(answer)]).toEqual([
      [['Host', here, 'X-Kept', '3', 'Transfer-Encoding', 'chunked', 'Connection', 'close']],
      false,
      true,
    ]);
  });
});

describe('the limits of the proxy', () => {
  async function measure(setting: EgressSetting, use: (url: string, egress: Egress) => Promise<unknown>) {
    const received: number[] = [];
    await using server = await startWebServer((request, response) => {
      request.on('data', (piece: Buffer) => received.push(piece.length));
      request.on('end', () => response.end(Buffer.alloc(200_000)));
      request.on('error', () => response.destroy());
    });
    await using egress = await openEgress({ allow: ['*.example', `127.0.0.1:${server.port}`], names: own, ...setting });
    const end = await use(`http://good.example:${server.port}/`, egress);
    return {
      end,
      becauses: egress.attempts.map(({ because }) => because),
      bytes: received.reduce((all, each) => all + each, 0),
    };
  }

  const upload = (url: string, bytes: number) =>
    `POST ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;

  it('let no more be sent to one host than they say, over all connections together', async () => {
    const { end, becauses, bytes } = await measure({ limits: { sentBytesPerHost: 100_000 } }, async (url, egress) => [
      toStatus(await egress.say(upload(url, 60_000))),
      toStatus(await egress.say(upload(url, 60_000))),
      toStatus(await egress.say(upload(url.replace('good', 'bad'), 60_000))),
    ]);
    expect([end, becauses]).toEqual([
      ['200', '502', '200'],
      [null, 'a command may send 100000 bytes to one host', null],
    ]);
    expect(bytes).toBeLessThanOrEqual(160_000);
  });

  it('let no more be sent in all than they say', async () => {
    const { becauses } = await measure({ limits: { sentBytes: 100_000 } }, async (url, egress) => {
      await egress.say(upload(url, 60_000));
      await egress.say(upload(url.replace('good', 'bad'), 60_000));
    });
    expect(becauses).toEqual([null, 'a command may send 100000 bytes in all']);
  });

  it('count what is sent in the head of a request as well', async () => {
    const { becauses, bytes } = await measure({ limits: { sentBytesPerHost: 500 } }, (url, egress) =>
      egress.say(get(`${url}${'x'.repeat(1000)}`)),
    );
    expect([becauses, bytes]).toEqual([['a command may send 500 bytes to one host'], 0]);
  });

  it('let no more be received than they say', async () => {
    const { end, becauses } = await measure({ limits: { receivedBytes: 100_000 } }, async (url, egress) => {
      const answer = await egress.say(get(url));
      return answer.length < 110_000;
    });
    expect([end, becauses]).toEqual([true, ['a command may receive 100000 bytes at most']]);
  });

  it('end a connection on which nothing happens', async () => {
    await using server = await startWebServer(() => undefined);
    const here = `127.0.0.1:${server.port}`;
    await using egress = await openEgress({ allow: [here], limits: { idleMs: 200 } });
    expect([toStatus(await egress.say(get(`http://${here}/`))), egress.attempts.map(({ because }) => because)]).toEqual(
      ['502', ['nothing came either way for 0.2 s']],
    );
  });

  it.each([
    ['nothing', ''],
    ['half a request', 'GET http://good.example/ HTTP/1.1\r\nHost: '],
  ])('end a connection on which %s was said', async (_what, bytes) => {
    await using egress = await openEgress({ limits: { headerMs: 300 } });
    expect(toStatus(await egress.say(bytes))).toBe('400');
  });

  it('refuse a head that is too long', async () => {
    await using egress = await openEgress({ limits: { maxHeaderBytes: 4096 } });
    expect(toStatus(await egress.say(`GET http://good.example/ HTTP/1.1\r\nX: ${'x'.repeat(10_000)}\r\n\r\n`))).toBe(
      '400',
    );
  });

  it('refuse a head that is too long in an answer', async () => {
    await using server = await startWebServer((_, response) =>
      response.writeHead(200, { x: 'x'.repeat(10_000) }).end(),
    );
    const here = `127.0.0.1:${server.port}`;
    await using egress = await openEgress({ allow: [here], limits: { maxHeaderBytes: 4096 } });
    expect([toStatus(await egress.say(get(`http://${here}/`))), egress.attempts.map(({ because }) => because)]).toEqual(
      ['502', [expect.stringContaining('its headers are too long')]],
    );
  });

  it('turn more connections away than there may be', async () => {
    await using egress = await openEgress({ limits: { maxConnections: 2, headerMs: 60_000 } });
    const held = [await egress.connect(), await egress.connect()];
    expect(await egress.say(get('http://good.example/'))).toBe('');
    for (const client of held) client.destroy();
  });

  it('refuse everything after so many attempts, and tell of that once', async () => {
    await using egress = await openEgress({ limits: { maxAttempts: 2 } });
    for (let each = 0; each < 5; each++) await egress.say(get('http://good.example/'));
    expect(egress.attempts.map(({ because }) => because)).toEqual([
      expect.stringContaining('is denied'),
      expect.stringContaining('is denied'),
      'a command may connect 2 times at most',
    ]);
  });

  it('end what is under way when the proxy is closed, which can be done twice, and tell of all of it', async () => {
    await using server = await startWebServer(() => undefined);
    const here = `127.0.0.1:${server.port}`;
    const egress = await openEgress({ allow: [here, 'slow.example'], names: {} });
    const clients = [await egress.connect(), await egress.connect()];
    clients[0]?.write(get(`http://${here}/`));
    clients[1]?.write(tunnel(here));
    const ends = clients.map(readToEnd);
    while ((await server.countConnections()) < 2) await new Promise((resolve) => setImmediate(resolve));
    await egress[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
    await Promise.all(ends);
    expect(egress.attempts.map(({ target, allowed }) => [target, allowed])).toEqual([
      [here, true],
      [here, true],
    ]);
  });
});

function toStatus(answer: string): string {
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? answer;
}

/** The shortest message of TLS that opens a connection and names no host. */
const unnamedHello = Buffer.from(`160301002f0100002b0303${'00'.repeat(32)}000002130101000000`, 'hex');
