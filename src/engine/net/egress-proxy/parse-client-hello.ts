// The first message of TLS, as far as it says whom it is for. It may come in many pieces and is read only up to a bound;
// every length in it is somebody else's word.

export type ClientHello =
  /** `serverName`: as it stands there; null where none does. */
  | { readonly kind: 'hello'; readonly serverName: string | null }
  /** It goes on in what has not come yet. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' };

/** The most that is read before it must be complete; a long one with keys for new methods has about 2,000. */
export const maxHelloBytes = 16 * 1024;

export function parseClientHello(bytes: Uint8Array): ClientHello {
  const message = joinRecords(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (message === null) return malformed;
  if (message.length < 4) return isTooLong(bytes) ? malformed : incomplete;
  const length = message.readUIntBE(1, 3);
  if (message[0] !== clientHello || length > maxHelloBytes) return malformed;
  if (message.length < 4 + length) return isTooLong(bytes) ? malformed : incomplete;
  try {
    return { kind: 'hello', serverName: readServerName(new Reader(message.subarray(4, 4 + length))) };
  } catch {
    return malformed;
  }
}

const malformed: ClientHello = { kind: 'malformed' };
const incomplete: ClientHello = { kind: 'incomplete' };
const isTooLong = (bytes: Uint8Array): boolean => bytes.length > maxHelloBytes;

const handshakeRecord = 22;
const clientHello = 1;

/** The handshake bytes of the records that have come, also of one that has not come wholly; null where they are no records. */
function joinRecords(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 3);
    const isHandshake = bytes[at] === handshakeRecord && bytes[at + 1] === 3 && length > 0 && length <= 16_384;
    // What comes after the whole message may be anything.
    if (!isHandshake) return pieces.length === 0 ? null : Buffer.concat(pieces);
    pieces.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return Buffer.concat(pieces);
}

/** Reads forward only. Throws where there is less than there should be. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  readNumber(size: 1 | 2): number {
    return this.take(size).readUIntBE(0, size);
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('There is less than there should be');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** What follows its own length. */
  readSized(size: 1 | 2): Buffer {
    return this.take(this.readNumber(size));
  }
}

function readServerName(hello: Reader): string | null {
  hello.take(2 + 32); // version and random
  hello.readSized(1); // session
  hello.readSized(2); // ciphers
  hello.readSized(1); // compressions
  if (hello.isAtEnd) return null;
  const extensions = new Reader(hello.readSized(2));
  const names: string[] = [];
  while (!extensions.isAtEnd) {
    const type = extensions.readNumber(2);
    const content = extensions.readSized(2);
    if (type === serverNameExtension) names.push(...readNames(content));
  }
  // With two of them, whoever answers may take the other one.
  if (!hello.isAtEnd || names.length > 1) throw new RangeError('It is not clear whom it is for');
  return names[0] ?? null;
}

const serverNameExtension = 0;

function readNames(content: Buffer): string[] {
  const outer = new Reader(content);
  const list = new Reader(outer.readSized(2));
  const names: string[] = [];
  while (!list.isAtEnd) {
    const type = list.readNumber(1);
    const name = list.readSized(2).toString('latin1');
    if (type !== 0 || !/^[\w.-]+$/.test(name)) throw new RangeError('It is no name of a host');
    names.push(name);
  }
  if (!outer.isAtEnd || names.length === 0) throw new RangeError('It is no list of names');
  return names;
}
