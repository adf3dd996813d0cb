// Some lines of one file, read through its descriptor. A search by another program only says where to look: what is shown
// comes from here, so that neither a swapped path nor a misleading name puts another file's words into the answer.
import { fstatSync } from 'node:fs';
import { readFlags, readPieces, withDescriptor } from '../sandbox/with-descriptor.ts';
import type { Place } from './place.ts';

/**
 * The head of each wanted line that is there, by its number from 1; none where nothing can be read any more. The place stays
 * the caller's to close.
 */
export async function readLines(place: Place, wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  const lines = new LineGatherer(wanted);
  if (place.kind !== 'found' || !place.stats.isFile()) return lines.gathered;
  const path = place.directory.at(place.name);
  await withDescriptor(path, { flags: readFlags }, (descriptor) => gather(descriptor, lines)).catch(() => undefined);
  return lines.gathered;
}

async function gather(descriptor: number, lines: LineGatherer): Promise<void> {
  if (!fstatSync(descriptor).isFile()) return;
  for await (const piece of toUtf8(readPieces(descriptor))) {
    lines.push(piece);
    if (lines.isComplete) return;
  }
  lines.end();
}

/** A line may be a whole minified file. */
const maxLineBytes = 2048;

class LineGatherer {
  readonly gathered = new Map<number, string>();
  readonly #wanted: ReadonlySet<number>;
  #line = 1;
  #head: Buffer = Buffer.alloc(0);

  constructor(wanted: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

  get isComplete(): boolean {
    return this.gathered.size === this.#wanted.size;
  }

  push(piece: Buffer): void {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, start)) {
      this.#keep(piece.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
  }

  /** The last line need not end. */
  end(): void {
    if (this.#head.length > 0) this.#endLine();
  }

  #keep(bytes: Buffer): void {
    const room = maxLineBytes - this.#head.length;
    if (room > 0 && this.#wanted.has(this.#line)) this.#head = Buffer.concat([this.#head, bytes.subarray(0, room)]);
  }

  #endLine(): void {
    if (this.#wanted.has(this.#line)) this.gathered.set(this.#line, toText(this.#head).replace(/\r$/, ''));
    this.#head = Buffer.alloc(0);
    this.#line++;
  }
}

/** UTF-8 without a byte order mark; UTF-16 is told by its own. Lines are counted after that, as the search counts them. */
async function* toUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: ReturnType<typeof createUtf16Decoder> = null;
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst) decoder = createUtf16Decoder(piece);
    const bytes = decoder === null ? piece : Buffer.from(decoder.decode(piece, { stream: true }));
    yield isFirst && bytes.subarray(0, 3).equals(utf8Mark) ? bytes.subarray(3) : bytes;
    isFirst = false;
  }
}

const utf8Mark = Buffer.from('\uFEFF');

function createUtf16Decoder(head: Buffer) {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  return head[0] === 0xfe && head[1] === 0xff ? new TextDecoder('utf-16be') : null;
}

/** UTF-8, whose last character may be cut, and Latin-1 where it is not: every byte then stands for itself. */
function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return bytes.toString('latin1');
  }
}
