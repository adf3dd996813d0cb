import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './parse-retry-after.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');

describe('parseRetryAfterMs', () => {
  it.each([
    ['whole seconds', { 'retry-after': '7' }, 7000],
    ['parts of a second', { 'retry-after': ' 0.5 ' }, 500],
    ['milliseconds, which win', { 'retry-after': '7', 'retry-after-ms': '250' }, 250],
    ['a date to come', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    ['a date gone by', { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    ['words', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('reads %s', (_, headers, expected) => {
    expect(parseRetryAfterMs(headers, nowMs)).toBe(expected);
  });
});
