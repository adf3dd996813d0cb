// What a tunnel begins with: TLS, something that may be HTTP, or nothing that can be told. What was read to find out is put
// back, so that whoever goes on finds it all.
import type { Duplex } from 'node:stream';
import { maxHelloBytes, parseClientHello } from './parse-client-hello.ts';

export type Opening =
  /** `serverName`: whom it is for; null where it does not say. */
  | { readonly kind: 'tls'; readonly serverName: string | null }
  | { readonly kind: 'text' }
  /** Something else, too much of it, or nothing for too long. */
  | { readonly kind: 'unknown' };

/** `head` came together with the request for the tunnel. */
export function readOpening(client: Duplex, head: Buffer, waitMs: number): Promise<Opening> {
  return new Promise((resolve) => {
    let bytes = head;
    const settle = (opening: Opening): void => {
      clearTimeout(patience);
      client.off('data', take).off('end', giveUp).off('close', giveUp);
      client.pause();
      if (bytes.length > 0 && !client.readableEnded && !client.destroyed) client.unshift(bytes);
      resolve(opening);
    };
    const giveUp = (): void => settle({ kind: 'unknown' });
    const take = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece]);
      const opening = classify(bytes);
      if (opening !== null) settle(opening);
    };
    const patience = setTimeout(giveUp, waitMs);
    client.on('data', take).on('end', giveUp).on('close', giveUp);
    take(Buffer.alloc(0));
  });
}

/** Null while there is too little of it. */
function classify(bytes: Buffer): Opening | null {
  const [first] = bytes;
  if (first === undefined) return null;
  if (first !== 22) return { kind: isLetter(first) ? 'text' : 'unknown' };
  const hello = parseClientHello(bytes);
  if (hello.kind === 'hello') return { kind: 'tls', serverName: hello.serverName };
  return hello.kind === 'incomplete' && bytes.length <= maxHelloBytes ? null : { kind: 'unknown' };
}

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
