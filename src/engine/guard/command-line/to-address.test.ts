import { describe, expect, it } from 'vitest';
import { toAddress } from './to-address.ts';

describe('toAddress', () => {
  it.each([
    ['https://h/x', 'h:443'],
    ['HTTP://H', 'h:80'],
    ['http://u:p@h:81/', 'h:81'],
    ['http://[::1]:8/', '[::1]:8'],
    ['http://0x7f.1/', '127.0.0.1:80'],
    ['https://good@evil/', 'evil:443'],
    ['h/x', null],
    ['gopher://h', null],
    ['https://{a,b}/', null],
    ['https://h[1-3]/', null],
    ['https:\\\\h', null],
    ['', null],
  ])('%s leads to %s', (text, address) => {
    expect(toAddress(text)).toBe(address);
  });

  it('knows the short form of git, and no other program that git would start', () => {
    expect(['u@h:x', 'h:x', 'ext::sh -c x', 'C:\\x', 'git://h/x'].map((text) => toAddress(text, 'git'))).toEqual([
      'h:22',
      'h:22',
      null,
      null,
      'h:9418',
    ]);
  });
});
