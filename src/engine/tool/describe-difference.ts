// The lines in which two versions of a file differ, as far as they fit into an answer.
import { createTwoFilesPatch } from 'diff';
import { decodeText } from './text-codec.ts';
import type { FileHistory } from './tool.ts';

/** What is longer, or takes longer to compare, is not shown. */
const maxBytes = 256 * 1024;
const maxMs = 200;

const maxLines = 60;
const maxCharacters = 4000;

/** Null where it cannot be shown. `history` tells what must not be. */
export async function describeDifference(
  before: Uint8Array,
  after: Uint8Array,
  history: Pick<FileHistory, 'holdsSecret'>,
): Promise<string | null> {
  const texts = await Promise.all([before, after].map(toText));
  const [old = null, now = null] = texts;
  // Where a difference begins in the middle of a secret, nothing would tell that it is one.
  if (old === null || now === null || history.holdsSecret(old) || history.holdsSecret(now)) return null;
  const patch = createTwoFilesPatch('', '', old, now, '', '', { context: 2, timeout: maxMs });
  return patch === undefined ? null : shorten(patch.slice(patch.indexOf('@@')).trimEnd());
}

async function toText(bytes: Uint8Array): Promise<string | null> {
  if (bytes.length > maxBytes) return null;
  const decoded = await decodeText(bytes);
  return decoded.kind === 'text' ? decoded.text : null;
}

function shorten(patch: string): string {
  const lines = patch.split('\n');
  const kept = lines.slice(0, maxLines).join('\n').slice(0, maxCharacters).toWellFormed();
  return kept.length === patch.length ? patch : `${kept}\n[the rest is left out]`;
}
