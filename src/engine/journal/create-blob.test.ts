import { describe, expect, it } from 'vitest';
import { createBlob, hashBytes } from './create-blob.ts';
import { createRedactor } from './redactor.ts';

const redactor = createRedactor({ knownSecrets: ['a-known-secret'] });
const secret = Buffer.from('x a-known-secret y');
const readable = Buffer.from('x [redacted] y');

describe('the blob of a content', () => {
  it('without a secret is the content itself', () => {
    const bytes = new TextEncoder().encode('grün');
    expect(createBlob('grün', { origin: 'command', redactor, original: 'seal' })).toEqual({
      ref: { hash: hashBytes(bytes), bytes: 5, origin: 'command' },
      readable: bytes,
    });
  });

  it('that is only shown is named after what is shown', () => {
    expect(createBlob(secret, { origin: 'command', redactor })).toEqual({
      ref: { hash: hashBytes(readable), bytes: readable.length, origin: 'command' },
      readable,
    });
  });

  it('that has to come back whole is named after the original, which goes along to be sealed', () => {
    expect(createBlob(secret, { origin: 'repository', redactor, original: 'seal' })).toEqual({
      ref: { hash: hashBytes(secret), bytes: secret.length, origin: 'repository', sealed: true },
      readable,
      original: secret,
    });
  });
});
