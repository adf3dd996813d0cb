import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveNetTarget } from './resolve-net-target.ts';

describe('resolveNetTarget', () => {
  it.each([
    ['Example.ORG:443', 'example.org:443'],
    ['example.org.:443', 'example.org:443'],
    ['example.org:00080', 'example.org:80'],
    ['bücher.example:443', 'xn--bcher-kva.example:443'],
    ['ｅxample.org:443', 'example.org:443'],
    ['127.0.0.1:8080', '127.0.0.1:8080'],
    ['0x7f.1:8080', '127.0.0.1:8080'],
    ['2130706433:8080', '127.0.0.1:8080'],
    ['0177.0.0.1:8080', '127.0.0.1:8080'],
    ['１２７.0.0.1:80', '127.0.0.1:80'],
    ['[::1]:80', '[::1]:80'],
    ['[0:0:0:0:0:0:0:1]:80', '[::1]:80'],
    ['[2001:DB8::1]:443', '[2001:db8::1]:443'],
    ['[::ffff:127.0.0.1]:80', '127.0.0.1:80'],
    ['[::ffff:a9fe:a9fe]:80', '169.254.169.254:80'],
    ['my_host:80', 'my_host:80'],
  ])('takes %s for %s', (text, target) => {
    expect(resolveNetTarget(text)).toEqual({ act: { kind: 'net', target, address: null }, refusal: null });
  });

  it.each([
    '',
    'example.org',
    'example.org:',
    'example.org:0',
    'example.org:65536',
    'example.org:99999999999',
    ':443',
    'user@example.org:443',
    'example.org/path:443',
    'example.org#x:443',
    'example.org\\@evil.example:443',
    'exa\nmple.org:443',
    'exa mple.org:443',
    '%65xample.org:443',
    '::1:80',
    '[::1:80',
    '[fe80::1%eth0]:80',
    '256.0.0.1:80',
    '1.2.3.4.5:80',
    '.:80',
    'a..b:80x',
    'https://example.org:443',
  ])('refuses %j', (text) => {
    expect(resolveNetTarget(text)).toEqual({
      act: { kind: 'net', target: text, address: null },
      refusal: expect.stringMatching(/^(it is no host with a port|its host cannot be read)$/),
    });
  });

  it('gives a form that stays what it is, and never throws', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6().map((text) => `[${text}]`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(host, fc.nat(70_000), (text, port) => {
        const { act, refusal } = resolveNetTarget(`${text}:${port}`);
        if (refusal === null) expect(resolveNetTarget(act.target)).toEqual({ act, refusal });
      }),
    );
  });
});
