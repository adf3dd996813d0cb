import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { nextNumber } from '../src/number.js';

test('the next number keeps its leading zeros', () => {
  equal(nextNumber('2026-0009'), '2026-0010');
});
