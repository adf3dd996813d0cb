import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStreamMask } from './mask-stream.ts';

const secret = 'sk-secret-0123456789';

describe('createStreamMask', () => {
  it('masks a secret wherever the pieces are cut, and keeps every other character', () => {
    const text = `before ${secret} between sk-sec and ${secret}${secret}sk-`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
        const mask = createStreamMask([secret, 'another-secret']);
        let shown = '';
        for (let from = 0, turn = 0; from < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          shown += mask.push(text.slice(from, from + size));
          from += size;
        }
        expect(shown + mask.end()).toBe(text.replaceAll(secret, '[redacted]'));
      }),
    );
  });

  it('holds nothing back where there are no secrets', () => {
    const mask = createStreamMask([]);
    expect([mask.push('sk-'), mask.end()]).toEqual(['sk-', '']);
  });
});
