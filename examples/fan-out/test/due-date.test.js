import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { toDueDate } from '../src/due-date.js';

test('an invoice is due so many days after it was issued, over the end of a month too', () => {
  equal(toDueDate('2026-01-20', 14), '2026-02-03');
});
