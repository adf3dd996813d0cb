// Finds secrets and masks them where data enters, so that what is journaled and what the model is shown is the same text.
// Linear in the length of the text: it runs on everything that comes in, also on what somebody made to slow it down.

import type { Mask } from './mask.ts';
import { maskAssignments } from './mask-assignments.ts';
import { createKnownSecretMask } from './mask-known-secrets.ts';
import { maskSecretShapes } from './mask-secret-shapes.ts';

export interface Redactor {
  /** The text with every recognised secret masked, and how many there were. */
  redact(text: string): { readonly text: string; readonly found: number };
  /** The same for the bytes of a file in UTF-8, Latin-1 or any other superset of ASCII; other bytes stay as they are. */
  redactBytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly found: number };
  /** Whether one of the known secrets stands in the text, in any of the forms it would be masked in. */
  holdsKnown(text: string): boolean;
}

/** `knownSecrets` are values that the engine holds itself, such as keys from the environment: masked wherever they stand. */
export function createRedactor({ knownSecrets }: { readonly knownSecrets: readonly string[] }): Redactor {
  const maskKnown = createKnownSecretMask(knownSecrets);
  const masks: Mask[] = [maskKnown, maskSecretShapes, maskAssignments];
  const redact = (text: string): { text: string; found: number } => {
    let found = 0;
    const count = (): void => {
      found++;
    };
    return { text: masks.reduce((masked, apply) => apply(masked, count), text), found };
  };
  return {
    redact,
    redactBytes(bytes) {
      // As Latin-1 every byte is one character, so what is not a secret comes back byte for byte.
      const { text, found } = redact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
      return { bytes: found === 0 ? bytes : Buffer.from(text, 'latin1'), found };
    },
    holdsKnown: (text) => maskKnown(text, () => undefined) !== text,
  };
}
