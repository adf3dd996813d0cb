import { describe, expect, it } from 'vitest';
import { classifyBroken } from './classify-broken.ts';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('classifyBroken', () => {
  it.each([
    ['a refused connection', coded('ECONNREFUSED'), 'connection', undefined],
    ['several refused addresses', new AggregateError([coded('ECONNREFUSED')], ''), 'connection', undefined],
    ['a name that does not resolve', coded('ENOTFOUND'), 'connection', undefined],
    ['a connection that takes too long', coded('UND_ERR_CONNECT_TIMEOUT'), 'timeout', undefined],
    ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'connection', true],
    [
      'a certificate that wraps its cause',
      new Error('x', { cause: coded('SELF_SIGNED_CERT_IN_CHAIN') }),
      'connection',
      true,
    ],
    ['headers over the limit', coded('UND_ERR_HEADERS_OVERFLOW'), 'malformed', undefined],
  ])('names %s, at no charge as long as nothing was sent', (_, error, expected, permanent) => {
    const facts = classifyBroken(error, false);
    expect({ class: facts.class, permanent: facts.permanent, charge: facts.charge }).toEqual({
      class: expected,
      permanent,
      charge: 'none',
    });
  });

  it('keeps the charge open once something was sent', () => {
    expect(classifyBroken(coded('ECONNRESET', 'read ECONNRESET'), true)).toEqual({
      class: 'connection',
      what: 'closed the connection before it answered',
      words: 'ECONNRESET read ECONNRESET',
      charge: 'unknown',
    });
  });
});
