import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxHelloBytes, parseClientHello } from './parse-client-hello.ts';

/** What a real client says first. */
async function recordHello(servername: string | null): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const client = connect({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    ...(servername === null ? {} : { servername }),
  });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

const named = await recordHello('a.example');
const unnamed = await recordHello(null);

/** The same message in records of at most so many bytes each. */
function split(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const pieces: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    const head = Buffer.from([22, 3, 1, 0, 0]);
    head.writeUInt16BE(piece.length, 3);
    pieces.push(head, piece);
  }
  return Buffer.concat(pieces);
}

/** Another name of the same length. */
const rename = (name: string): Buffer => {
  const hello = Buffer.from(named);
  hello.write(name, hello.indexOf('a.example'), 'latin1');
  return hello;
};

describe('the first message of TLS', () => {
  it('says whom it is for, or that it does not say', () => {
    expect([named, unnamed, rename('B.EXAMPLE')].map(parseClientHello)).toEqual([
      { kind: 'hello', serverName: 'a.example' },
      { kind: 'hello', serverName: null },
      { kind: 'hello', serverName: 'B.EXAMPLE' },
    ]);
  });

  it('says the same in any number of records, with whatever comes after it', () => {
    for (const size of [1, 2, 3, 5, 100, 16_384]) {
      const bytes = Buffer.concat([split(named, size), Buffer.from([23, 3, 3, 0, 1, 0])]);
      expect(parseClientHello(bytes)).toEqual({ kind: 'hello', serverName: 'a.example' });
    }
  });

  it('is incomplete wherever it is cut off', () => {
    const bytes = split(named, 50);
    for (let length = 0; length < bytes.length; length++) {
      expect(parseClientHello(bytes.subarray(0, length))).toEqual({ kind: 'incomplete' });
    }
  });

  it.each<[what: string, bytes: Buffer]>([
    ['a name with a zero', rename('a\0example')],
    ['a name with a space', rename('a example')],
    ['a name of nothing', Buffer.from(named).fill(0, named.indexOf('a.example') - 2, named.indexOf('a.example'))],
    ['another kind of record', Buffer.from([23, ...named.subarray(1)])],
    ['another version of records', Buffer.from([22, 2, ...named.subarray(2)])],
    ['an empty record', Buffer.from([22, 3, 1, 0, 0])],
    ['another message', Buffer.from([...named.subarray(0, 5), 2, ...named.subarray(6)])],
    ['a message that is too long', Buffer.from([22, 3, 1, 0, 4, 1, 0xff, 0, 0])],
    ['records without end', split(Buffer.concat([named.subarray(0, 5), Buffer.alloc(2 * maxHelloBytes, 1)]), 16_000)],
    ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('is malformed as %s', (_what, bytes) => {
    expect(parseClientHello(bytes)).toEqual({ kind: 'malformed' });
  });

  it('is read from anything without an error, and never as for somebody it does not name', () => {
    const change = fc.tuple(fc.nat(named.length - 1), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(named.length), (changes, length) => {
        const bytes = Buffer.from(named.subarray(0, length));
        for (const [at, byte] of changes) if (at < length) bytes[at] = byte;
        const hello = parseClientHello(bytes);
        if (hello.kind === 'hello' && hello.serverName !== null) expect(bytes.includes(hello.serverName)).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => parseClientHello(bytes).kind.length > 0));
  });
});
