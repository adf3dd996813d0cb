import { describe, expect, it } from 'vitest';
import { classifyRefusal, toStatus } from './classify-refusal.ts';

describe('classifyRefusal', () => {
  it.each([
    [401, '', '', 'auth'],
    [403, '', 'Country not supported', 'auth'],
    [402, '', 'Insufficient credits', 'quota'],
    [404, 'model_not_found', 'No such model', 'unknown-model'],
    [400, '', 'acme/x is not a valid model ID', 'unknown-model'],
    [400, 'context_length_exceeded', 'Too long', 'context-overflow'],
    [400, '', "This model's maximum context length is 8192 tokens", 'context-overflow'],
    [413, '', '', 'context-overflow'],
    [400, '', 'tools is not supported', 'request'],
    [408, '', '', 'timeout'],
    [504, '', '', 'timeout'],
    [500, '', 'The prompt is too long', 'server'],
    [503, '', '', 'server'],
    [529, 'overloaded_error', 'Overloaded', 'server'],
    [307, '', '', 'request'],
  ] as const)('takes status %i with code "%s" and words "%s" for %s', (status, code, text, expected) => {
    expect(classifyRefusal(status, { code, text }, false)).toBe(expected);
  });

  it.each([
    ['insufficient_quota', 'Pay', true, 'quota'],
    ['', "You've reached the monthly usage limit for this billing cycle", false, 'quota'],
    ['', 'You exceeded your current quota, please check your plan', false, 'quota'],
    ['', 'You exceeded your current quota', true, 'rate-limited'],
    ['', 'Your daily limit resets in 49s', false, 'rate-limited'],
    ['rate_limit_exceeded', 'Please try again in 20s', false, 'rate-limited'],
    ['', 'Too many requests', false, 'rate-limited'],
    ['', 'Request too large: limit 30000, requested 45000', false, 'context-overflow'],
  ] as const)(
    'tells a 429 that passes from one that does not: code "%s", words "%s", asked to wait %s (NousResearch/hermes-agent#36276)',
    (code, text, asksToWait, expected) => {
      expect(classifyRefusal(429, { code, text }, asksToWait)).toBe(expected);
    },
  );
});

describe('toStatus', () => {
  it.each([
    ['429', 429],
    ['insufficient_quota requests', 402],
    ['rate_limit_exceeded tokens', 429],
    ['invalid_api_key authentication_error', 401],
    ['context_length_exceeded invalid_request_error', 413],
    ['model_not_found', 404],
    ['invalid_request_error', 400],
    ['overloaded_error', 500],
    ['', 500],
  ])('reads code "%s" as %i', (code, expected) => {
    expect(toStatus({ code, text: '' })).toBe(expected);
  });
});
