import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';

const key = 'sk-0123456789';
const endpoint = {
  choice: { name: 'openai', wire: 'openai-chat', baseUrl: 'https://api.example.com/v1', model: 'm' },
  url: new URL('https://api.example.com/v1/chat/completions'),
  key,
} as const;

describe('describeFailure', () => {
  it('says what happened, in whose words, and what to do next', () => {
    const facts = { class: 'auth', what: 'refused the request with status 401', status: 401, words: 'No' } as const;
    expect(describeFailure(endpoint, { ...facts, charge: 'none' })).toEqual({
      class: 'auth',
      status: 401,
      message:
        'api.example.com refused the request with status 401: "No". Check that the key given for openai is valid and may use the model m.',
      retryable: false,
      charge: 'none',
    });
  });

  it('masks the key before it cuts the words short, so that no half of it is left', () => {
    const words = `${'x'.repeat(490)}${key}${key}`;
    const { message } = describeFailure(endpoint, { class: 'server', what: 'failed', words, charge: 'none' });
    expect(message).not.toContain('sk-0');
    expect(message).toContain(`${'x'.repeat(490)}[key][key]`);
  });

  it('shows words of any length as one short line without control and direction characters', () => {
    const words = `a\r\n\u001b[2Jb\u202ec${'y'.repeat(600)}`;
    const { message } = describeFailure(endpoint, { class: 'server', what: 'failed', words, charge: 'none' });
    expect(message).toMatch(/^api\.example\.com failed: "a \[2Jb cy{492}…"\. /);
  });
});
