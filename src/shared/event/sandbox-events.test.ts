import { describe, expect, it } from 'vitest';
import { EventBody } from '../event.ts';

const ended = { type: 'sandbox-exit', end: 'exit', code: 0, survivors: 0, durationMs: 5 };
const hit = { cap: 'wall', limit: 1, observed: 2, unit: 'ms', enforcement: 'polled', atMs: 3 };

describe('an event about a sandbox', () => {
  it.each([
    ['as it was written while only calls had commands', { type: 'sandbox-create', call: 0, isolation: 'bwrap' }],
    ['with a network', { type: 'sandbox-create', call: 2, isolation: 'bwrap', network: true }],
    ['that is a cap', { type: 'sandbox-cap', call: 0, ...hit }],
    ['that is an end', { ...ended, call: 0 }],
    ['of a check', { type: 'sandbox-create', check: 1, program: 'sh', isolation: 'landlock' }],
    ['that is a cap of a check', { type: 'sandbox-cap', check: 1, ...hit }],
    ['that is an end in a check', { ...ended, check: 3 }],
  ])('is read as it was written: %s', (_title, event) => {
    expect(EventBody.parse(event)).toEqual(event);
  });

  it('counts the commands of a check from 1', () => {
    expect(EventBody.safeParse({ ...ended, check: 0 }).success).toBe(false);
  });
});
