// Values the engine holds itself, masked wherever they stand: as they are, and in the forms that programs print them in.
import { type Mask, masked } from './mask.ts';

// Shorter values occur in ordinary text, and masking them would tear it apart.
const minCharacters = 8;

/** A mask for exactly these values. */
export function createKnownSecretMask(secrets: readonly string[]): Mask {
  const forms = secrets.filter((secret) => secret.length >= minCharacters).flatMap(toForms);
  const unique = [...new Set(forms)].filter((form) => form.length >= minCharacters);
  if (unique.length === 0) return (text) => text;
  // The longest first: a secret that contains another one is masked as a whole.
  unique.sort((left, right) => right.length - left.length);
  const pattern = new RegExp(unique.map((form) => escapePattern(form)).join('|'), 'g');
  return (text, count) =>
    text.replace(pattern, () => {
      count();
      return masked;
    });
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function toForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    // How the bytes of a file look when they are read as Latin-1.
    bytes.toString('latin1'),
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].flatMap((shift) => toBase64Forms(bytes, shift)),
  ];
}

/**
 * Base64 of the secret when `shift` bytes stand before it in its group of three, as in `user:secret`. Digits that the
 * neighbours share are left out.
 */
function toBase64Forms(bytes: Buffer, shift: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const first = shift === 0 ? 0 : shift + 1;
  const last = Math.floor((whole.length * 8) / 6);
  return [whole.toString('base64').slice(first, last), whole.toString('base64url').slice(first, last)];
}
