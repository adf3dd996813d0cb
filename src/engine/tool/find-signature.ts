// Names common binary formats by their first bytes, so that a refusal can say what a file is instead of showing it.

const signatures: readonly (readonly [name: string, start: Buffer])[] = [
  ['PNG image', Buffer.from('89504e47', 'hex')],
  ['JPEG image', Buffer.from('ffd8ff', 'hex')],
  ['GIF image', Buffer.from('GIF8')],
  ['TIFF image', Buffer.from('49492a00', 'hex')],
  ['PDF document', Buffer.from('%PDF-')],
  ['ZIP archive or office document', Buffer.from('504b0304', 'hex')],
  ['gzip archive', Buffer.from('1f8b', 'hex')],
  ['Zstandard archive', Buffer.from('28b52ffd', 'hex')],
  ['xz archive', Buffer.from('fd377a585a', 'hex')],
  ['bzip2 archive', Buffer.from('BZh')],
  ['7-Zip archive', Buffer.from('377abcaf', 'hex')],
  ['ELF program', Buffer.from('7f454c46', 'hex')],
  ['Mach-O program', Buffer.from('cffaedfe', 'hex')],
  ['Windows program', Buffer.from('MZ')],
  ['WebAssembly module', Buffer.from('0061736d', 'hex')],
  ['Java class', Buffer.from('cafebabe', 'hex')],
  ['SQLite database', Buffer.from('SQLite format 3')],
  ['Ogg media', Buffer.from('OggS')],
  ['MP3 audio', Buffer.from('ID3')],
  ['WOFF font', Buffer.from('wOF')],
];

/** What `bytes` look like, or null when their start is none of the known ones. */
export function findSignature(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 16));
  if (start.toString('latin1', 0, 4) === 'RIFF') return `RIFF media (${start.toString('latin1', 8, 12).trim()})`;
  return signatures.find(([, signature]) => start.subarray(0, signature.length).equals(signature))?.[0] ?? null;
}
