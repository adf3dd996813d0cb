import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReview } from './parse-review.ts';

describe('the answer of a reviewing model', () => {
  it.each([
    ['plain', '{"decision":"approve","reason":"It is asked for."}'],
    ['with blanks around it', '\n {"reason": "It is asked for.", "decision": "approve"}\n'],
    ['between fences', '```json\n{"decision":"approve","reason":" It is asked for. "}\n```'],
  ])('is read when it is %s', (_what, text) => {
    expect(parseReview(text)).toEqual({ decision: 'approve', reason: 'It is asked for.' });
  });

  it.each([
    ['empty', ''],
    ['prose', 'I approve.'],
    ['prose with an object in it', 'Sure: {"decision":"approve","reason":"x"}'],
    ['cut off', '{"decision":"approve","reason":"x'],
    ['two objects', '{"decision":"approve","reason":"x"}\n{"decision":"deny","reason":"y"}'],
    ['two fenced objects', '```\n{}\n```\n```\n{}\n```'],
    ['a list', '[{"decision":"approve","reason":"x"}]'],
    ['with a comment', '{"decision":"approve",/* deny */"reason":"x"}'],
    ['with a trailing comma', '{"decision":"approve","reason":"x",}'],
    ['two decisions', '{"decision":"deny","decision":"approve","reason":"x"}'],
    ['two spellings of one key', '{"decision":"deny","\\u0064ecision":"approve","reason":"x"}'],
    ['another word', '{"decision":"approved","reason":"x"}'],
    ['without a reason', '{"decision":"approve"}'],
    ['with an empty reason', '{"decision":"approve","reason":" "}'],
    ['a rewrite', '{"decision":"approve","reason":"x","rewrite":{}}'],
    ['a rule', '{"decision":"approve","reason":"x","remember":{"scope":"user"}}'],
    ['a prototype', '{"decision":"approve","__proto__":{"reason":"x"}}'],
    ['nested without end', '{"a":'.repeat(10_000)],
    ['long without end', `{"decision":"approve","reason":"${'x'.repeat(70_000)}"}`],
  ])('that is %s is none', (_what, text) => {
    expect(parseReview(text)).toEqual({
      decision: 'defer',
      reason: 'the answer of the reviewing model is not one JSON object of a decision and a reason',
    });
  });

  it('never makes it throw', () => {
    const answer = fc.json().map((json) => json.replace(/""/, '"decision"'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), answer), (text) => {
        expect(parseReview(text).reason).not.toBe('');
      }),
    );
  });

  it('has a reason of bounded length', () => {
    const { reason } = parseReview(JSON.stringify({ decision: 'deny', reason: 'x'.repeat(10_000) }));
    expect(reason).toHaveLength(2000);
  });
});
