// Bytes to text and back without loss: a file is only taken for text in an encoding that gives exactly its bytes again, so
// an edit cannot change what it does not touch. What no such encoding fits is binary.
import { findSignature } from './find-signature.ts';

export interface TextForm {
  /** `utf-8`, `utf-16le`, `utf-16be`, or the name of an older encoding. */
  readonly encoding: string;
  readonly hasBom: boolean;
}

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string; readonly form: TextForm }
  | { readonly kind: 'binary'; readonly looksLike: string | null };

export const plainText: TextForm = { encoding: 'utf-8', hasBom: false };

const bom = '\uFEFF';
/** As much as a guess at an encoding needs. */
const sampleBytes = 256 * 1024;

/** Tries a byte order mark, then strict UTF-8, then what the bytes look like, then Latin-1, which fits any bytes. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = toWideEncoding(buffer);
  if (wide) return toText(decodeWide(buffer, wide), wide);
  const binary: DecodedText = { kind: 'binary', looksLike: findSignature(buffer) };
  if (buffer.includes(0)) return binary;
  const strict = decodeStrict(buffer);
  if (strict !== null) return toText(strict, 'utf-8');
  return binary.looksLike !== null || hasManyControls(buffer) ? binary : await decodeLegacy(buffer);
}

/** The bytes of `text`, or null when the encoding lacks one of its characters. */
export async function encodeText(text: string, { encoding, hasBom }: TextForm): Promise<Uint8Array | null> {
  const whole = hasBom ? bom + text : text;
  switch (encoding) {
    case 'utf-8':
      return whole.isWellFormed() ? Buffer.from(whole) : null;
    case 'utf-16le':
      return Buffer.from(whole, 'utf16le');
    case 'utf-16be':
      return Buffer.from(whole, 'utf16le').swap16();
    default:
      return encodeLegacy(whole, encoding);
  }
}

function toText(text: string, encoding: string): DecodedText {
  const hasBom = text.startsWith(bom);
  return { kind: 'text', text: hasBom ? text.slice(1) : text, form: { encoding, hasBom } };
}

/** UTF-16 is only believed with its mark; an odd length or UTF-32's longer mark speaks against it. */
function toWideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const start = bytes.toString('hex', 0, 4);
  if (start.startsWith('feff')) return 'utf-16be';
  return start.startsWith('fffe') && start !== 'fffe0000' ? 'utf-16le' : undefined;
}

function decodeWide(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return (encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

function decodeStrict(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hasManyControls(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  const controls = sample.filter((byte) => byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
  return controls.length > sample.length / 20;
}

async function decodeLegacy(bytes: Buffer): Promise<DecodedText> {
  const [{ default: chardet }, { default: iconv }] = await loadLegacy();
  const guess = chardet.detect(bytes.subarray(0, sampleBytes))?.toLowerCase();
  if (guess !== undefined && !guess.startsWith('utf') && iconv.encodingExists(guess)) {
    const text = iconv.decode(bytes, guess);
    if (iconv.encode(text, guess).equals(bytes)) return toText(text, guess);
  }
  return toText(bytes.toString('latin1'), 'iso-8859-1');
}

async function encodeLegacy(text: string, encoding: string): Promise<Uint8Array | null> {
  const [, { default: iconv }] = await loadLegacy();
  const bytes = iconv.encode(text, encoding);
  return iconv.decode(bytes, encoding) === text ? bytes : null;
}

/** Few files need them, and their tables take time to load. */
function loadLegacy() {
  return Promise.all([import('chardet'), import('iconv-lite')]);
}
