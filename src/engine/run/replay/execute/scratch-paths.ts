// The two names of a workspace that is run in again: the path the run had it at, and that of the scratch copy. What was recorded
// is carried out under the one and compared under the other, so that no command ever reaches the original by its name.

export interface ScratchPaths {
  /** In a text. */
  toScratch(text: string): string;
  /** In each text of a JSON value. */
  toScratchJson(json: string): string;
  toOriginal(text: string): string;
  /** In a content of whatever kind. */
  toOriginalBytes(bytes: Uint8Array): Buffer;
}

/** Both are real paths. */
export function createScratchPaths(original: string, scratch: string): ScratchPaths {
  const isNamed = new RegExp(`(?<![\\w.-])${escapePattern(original)}(?![\\w-]|\\.\\w)`, 'g');
  const toScratch = (text: string): string => text.replaceAll(isNamed, () => scratch);
  const [from, to] = [toBinary(scratch), toBinary(original)];
  return {
    toScratch,
    toScratchJson: (json) =>
      JSON.stringify(JSON.parse(json, (_key, value) => (typeof value === 'string' ? toScratch(value) : value))),
    toOriginal: (text) => text.replaceAll(scratch, () => original),
    toOriginalBytes: (bytes) =>
      Buffer.from(
        Buffer.from(bytes)
          .toString('latin1')
          .replaceAll(from, () => to),
        'latin1',
      ),
  };
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** One character for each byte. */
const toBinary = (text: string): string => Buffer.from(text).toString('latin1');
