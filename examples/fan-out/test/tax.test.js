import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { toTaxCents } from '../src/tax.js';

test('the tax is what a gross amount holds of it', () => {
  equal(toTaxCents(11900, 19), 1900);
});
