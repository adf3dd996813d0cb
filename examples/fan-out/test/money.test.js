import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents } from '../src/money.js';

test('an amount has groups of three and two decimals', () => {
  equal(formatCents(1234567), '12,345.67');
});
