import { describe, expect, it } from 'vitest';
import { parseRequestTarget, parseTunnelTarget, type RequestTarget } from './parse-request-target.ts';

const target = (text: string, path: string): RequestTarget => ({ kind: 'target', text, path });
const malformed = { kind: 'malformed', reason: expect.any(String) };

describe('a request to the proxy', () => {
  it.each<[url: string, host: string, expected: unknown]>([
    ['http://a.example', 'a.example', target('a.example:80', '/')],
    ['http://a.example/', 'a.example:80', target('a.example:80', '/')],
    ['HTTP://A.example:80/b', 'a.example', target('A.example:80', '/b')],
    ['http://a.example:8080?c', 'A.EXAMPLE.:8080', target('a.example:8080', '/?c')],
    ['http://a.example/%2e%2e//b;c?d=%zz', 'a.example', target('a.example:80', '/%2e%2e//b;c?d=%zz')],
    ['http://[::1]:1/', '[0:0::1]:1', target('[::1]:1', '/')],
    ['http://127.1/', '127.0.0.1', target('127.1:80', '/')],
    ['http://a.example/', 'b.example', malformed],
    ['http://a.example/', 'a.example:81', malformed],
    ['http://a.example/', 'a.example/b', malformed],
    ['http://a.example/', 'x@a.example', malformed],
    ['http://a.example/', '', malformed],
    ['http://a.example:/', 'a.example', malformed],
    ['http://a.example:x/', 'a.example', malformed],
    ['http://x@a.example/', 'a.example', malformed],
    ['http://a.example\\b/', 'a.example', malformed],
    ['http://a.example/b c', 'a.example', malformed],
    ['http://a.example/b#c', 'a.example', malformed],
    ['http://a.example/ä', 'a.example', malformed],
    ['http:///b', 'a.example', malformed],
    ['https://a.example/', 'a.example', malformed],
    ['ftp://a.example/', 'a.example', malformed],
    ['a.example:80', 'a.example', malformed],
    ['/b', 'a.example', malformed],
    ['*', 'a.example', malformed],
    ['', 'a.example', malformed],
    [`http://${'a'.repeat(300)}/`, 'a'.repeat(300), malformed],
  ])('for %s with the host %s goes where both say, or nowhere', (url, host, expected) => {
    expect(parseRequestTarget({ url, rawHeaders: ['Accept', '*/*', 'hOST', host] }, null)).toEqual(expected);
  });

  it.each([
    ['no Host header', []],
    ['two', ['Host', 'a.example', 'host', 'a.example']],
  ])('goes nowhere with %s', (_what, rawHeaders) => {
    expect(parseRequestTarget({ url: 'http://a.example/', rawHeaders }, null)).toEqual(malformed);
  });
});

describe('a request in a tunnel', () => {
  it.each<[url: string, host: string, expected: unknown]>([
    ['/b?c', 'a.example:8080', target('a.example:8080', '/b?c')],
    ['/', 'A.example.:8080', target('a.example:8080', '/')],
    ['/', 'a.example', malformed],
    ['/', 'b.example:8080', malformed],
    ['http://a.example:8080/', 'a.example:8080', malformed],
  ])('for %s with the host %s goes where the tunnel goes, or nowhere', (url, host, expected) => {
    expect(parseRequestTarget({ url, rawHeaders: ['Host', host] }, 'a.example:8080')).toEqual(expected);
  });
});

describe('a request for a tunnel', () => {
  it.each<[url: string, rawHeaders: readonly string[], expected: unknown]>([
    ['a.example:443', [], target('a.example:443', '')],
    ['a.example:443', ['Host', 'a.example:443'], target('a.example:443', '')],
    ['a.example:443', ['Host', 'a.example'], target('a.example:443', '')],
    ['a.example:443', ['Host', 'b.example'], malformed],
    ['a.example:443', ['Host', 'a.example:444'], malformed],
    ['a.example:443', ['Content-Length', '0'], malformed],
    ['a.example:443', ['Transfer-Encoding', 'chunked'], malformed],
    ['a.example', [], malformed],
    ['a.example:', [], malformed],
    ['', [], malformed],
    [`${'a'.repeat(300)}:443`, [], malformed],
  ])('to %s with %j is opened there, or not at all', (url, rawHeaders, expected) => {
    expect(parseTunnelTarget({ url, rawHeaders })).toEqual(expected);
  });
});
