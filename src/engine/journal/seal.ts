// Sealing: originals that hold a secret are kept encrypted (AES-256-GCM), bound to the hash they are stored under. The key
// lies beside the database, so a copied database alone gives no secret away.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SealedBytes {
  readonly nonce: Uint8Array;
  /** Ciphertext, then the 16-byte authentication tag. */
  readonly bytes: Uint8Array;
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/** Encrypts `original` so that only this key opens it and only under this hash. */
export function seal(original: Uint8Array, hash: Uint8Array, key: Uint8Array): SealedBytes {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(hash);
  const bytes = Buffer.concat([cipher.update(original), cipher.final(), cipher.getAuthTag()]);
  return { nonce, bytes };
}

/** Decrypts; throws when the key is another one or the bytes were altered. */
export function unseal(sealed: SealedBytes, hash: Uint8Array, key: Uint8Array): Uint8Array {
  const end = sealed.bytes.length - tagBytes;
  // With its length fixed, a shortened tag, which is easier to forge, is refused.
  const decipher = createDecipheriv(algorithm, key, sealed.nonce, { authTagLength: tagBytes }).setAAD(hash);
  decipher.setAuthTag(sealed.bytes.subarray(end));
  return Buffer.concat([decipher.update(sealed.bytes.subarray(0, end)), decipher.final()]);
}
