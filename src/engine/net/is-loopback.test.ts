import { describe, expect, it } from 'vitest';
import { isLoopback } from './is-loopback.ts';

describe('isLoopback', () => {
  it.each([
    ['http://localhost:1/v1', true],
    ['http://127.0.0.1:1/v1', true],
    ['http://127.9.8.7/', true],
    ['http://0x7f000001/', true],
    ['http://[::1]:8080/', true],
    ['http://0.0.0.0/', false],
    ['http://127.0.0.1.example.com/', false],
    ['http://localhost.example.com/', false],
    ['http://my.localhost/', false],
    ['https://api.openai.com/v1', false],
  ])('%s is judged %s', (url, expected) => {
    expect(isLoopback(new URL(url))).toBe(expected);
  });
});
