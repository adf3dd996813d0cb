import { describe, expect, it } from 'vitest';
import { readWords } from './read-words.ts';

describe('readWords', () => {
  it.each([
    ['an OpenAI error', '{"error":{"message":"No","type":"a_type","code":"A_code"}}', 'a_code a_type', 'No'],
    ['a numeric code', '{"error":{"code":429,"message":"Slow down"}}', '429', 'Slow down'],
    ['a routed error', '{"error":{"message":"Provider","metadata":{"raw":"real cause"}}}', '', 'Provider: real cause'],
    ['an error that is a string', '{"error":"model not found"}', '', 'model not found'],
    ['a bare message', '{"message":"No","code":"x"}', 'x', 'No'],
    ['a detail', '{"detail":"Not Found"}', '', 'Not Found'],
    ['JSON of another shape', '["a"]', '', '["a"]'],
    ['an unknown object', '{"oops":1}', '', '{"oops":1}'],
    ['a titled page', '<html><title>502 Bad Gateway</title><p>nginx</p></html>', '', '502 Bad Gateway'],
    ['plain text', 'upstream is down', '', 'upstream is down'],
    ['nothing', '', '', ''],
  ])('reads %s', (_, body, code, text) => {
    expect(readWords(body)).toEqual({ code, text });
  });

  it.each(['<', '<style', '<title'])(
    'reads a page of nothing but "%s" without looking for its end over and over',
    (tag) => {
      const startedMs = performance.now();
      expect(readWords(tag.repeat(100_000)).text.length).toBeLessThanOrEqual(16 * 1024);
      expect(performance.now() - startedMs).toBeLessThan(1000);
    },
  );
});
