import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export type RefusalStatus = 400 | 403 | 502;

/** Answers a request in words, and lets the connection go. */
export function refuse(response: ServerResponse, status: RefusalStatus, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${text}\n`);
}

/** The same where there is only a connection. */
export function refuseOn(client: Duplex, status: RefusalStatus, text: string): void {
  const content = `${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(content)}`,
    'Connection: close',
  ];
  client.end(`${head.join('\r\n')}\r\n\r\n${content}`, () => client.destroy());
}
