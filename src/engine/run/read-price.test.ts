import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { assertPriced, readPrice } from './read-price.ts';

const price = { inputPerMTok: 3, outputPerMTok: 15 };

describe('readPrice', () => {
  it('finds a model in a table with comments and a comma too many', () => {
    using home = createTemporaryDirectory();
    home.write('prices.jsonc', `{\n  // per million\n  "vendor/m": ${JSON.stringify(price)}, /* the rest */\n}\n`);
    expect(readPrice(home.path, 'vendor/m')).toEqual(price);
  });

  it.each(['other', 'M', 'constructor', 'toString', ''])(
    'knows no price for %j, which is not in the table',
    (model) => {
      using home = createTemporaryDirectory();
      home.write('prices.jsonc', JSON.stringify({ m: price }));
      expect(readPrice(home.path, model)).toBeNull();
    },
  );

  it('knows no price where there is no table, nor a home', () => {
    using home = createTemporaryDirectory();
    expect([readPrice(home.path, 'm'), readPrice(join(home.path, 'none'), 'm')]).toEqual([null, null]);
  });

  it.each([
    ['no JSON', '{"m": ', /ValueExpected|CloseBraceExpected/],
    ['nothing at all', '', /ValueExpected/],
    ['a list', '[]', /expected record/i],
    ['a price in words', '{"m": {"inputPerMTok": "3", "outputPerMTok": 15}}', /inputPerMTok/],
    ['a negative price', '{"m": {"inputPerMTok": -3, "outputPerMTok": 15}}', /inputPerMTok/],
    ['half a price', '{"m": {"inputPerMTok": 3}}', /outputPerMTok/],
    ['a misspelt part', '{"m": {"inputPerMTok": 3, "outputPerMTok": 15, "cached": 1}}', /cached/],
  ])('refuses a table that holds %s, whichever model is asked for', (_what, text, reason) => {
    using home = createTemporaryDirectory();
    const file = home.write('prices.jsonc', text);
    expect(() => readPrice(home.path, 'other')).toThrow(
      expect.objectContaining({
        code: 'home-unusable',
        message: expect.stringMatching(new RegExp(`${file}[^]*(${reason.source})`, 'i')),
      }),
    );
  });

  it('refuses a table that cannot be read', () => {
    using home = createTemporaryDirectory();
    home.make('prices.jsonc');
    expect(() => readPrice(home.path, 'm')).toThrow(expect.objectContaining({ code: 'home-unusable' }));
  });
});

describe('assertPriced', () => {
  it('refuses a money limit for a model without a price, and says where to write it', () => {
    expect(() => assertPriced(1, null, 'vendor/m', '/home')).toThrow(
      expect.objectContaining({
        code: 'unpriced',
        message: expect.stringContaining('"vendor/m" is unpriced'),
        remedy: expect.stringContaining('/home/prices.jsonc'),
      }),
    );
  });

  it('asks for no price where money is not limited, and for no more than one', () => {
    expect(() => assertPriced(null, null, 'm', '/home')).not.toThrow();
    expect(() => assertPriced(1, { inputPerMTok: 0, outputPerMTok: 0 }, 'm', '/home')).not.toThrow();
  });
});
