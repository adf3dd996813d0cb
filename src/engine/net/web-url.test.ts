import { describe, expect, it } from 'vitest';
import { parseWebUrl, toHostAndPort } from './web-url.ts';

const read = (text: string, base?: string) => {
  const url = parseWebUrl(text, base === undefined ? undefined : new URL(base));
  return url === null ? null : [url.href, toHostAndPort(url)];
};

describe('a URL of the web', () => {
  it.each([
    ['http://a.example', 'http://a.example/', 'a.example:80'],
    ['https://a.example/b?c#d', 'https://a.example/b?c', 'a.example:443'],
    ['HTTPS://A.Example:8443/', 'https://a.example:8443/', 'a.example:8443'],
    ['http://a.example.:80/', 'http://a.example/', 'a.example:80'],
    ['http://0x7f.1:8080/', 'http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://[::1]/', 'http://[::1]/', '[::1]:80'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/', 'xn--bcher-kva.example:80'],
    ['http:\\\\a.example\\b', 'http://a.example/b', 'a.example:80'],
  ])('is read as the web reads it: %s', (text, href, target) => {
    expect(read(text)).toEqual([href, target]);
  });

  it('is seen from where it stands', () => {
    const base = 'https://a.example/b/c';
    expect(['d', '/d', '//b.example', 'http://b.example', '?q'].map((text) => read(text, base)?.[0])).toEqual([
      'https://a.example/b/d',
      'https://a.example/d',
      'https://b.example/',
      'http://b.example/',
      'https://a.example/b/c?q',
    ]);
  });

  it.each([
    'a.example',
    '/a',
    '',
    'ftp://a.example/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:alert(1)',
    'http://me@a.example/',
    'http://:word@a.example/',
    'http://a.example@b.example/',
    'http://',
    'http://a b/',
    'http://1.2.3.256/',
    'http://a.example:70000/',
  ])('is nothing like this: %j', (text) => {
    expect(read(text)).toBe(null);
  });
});
