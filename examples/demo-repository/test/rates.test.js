import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderPrice, parcelPrice } from '../src/rates.js';

test('a parcel of up to two kilograms costs the base rate', () => {
  assert.equal(parcelPrice({ zone: 'domestic', grams: 2000 }), 450);
});

test('a kilogram that is only begun is charged', () => {
  assert.equal(parcelPrice({ zone: 'domestic', grams: 2100 }), 570);
});

test('express doubles the price', () => {
  assert.equal(parcelPrice({ zone: 'world', grams: 500, express: true }), 3380);
});

test('five parcels make an order cheaper', () => {
  const parcels = Array.from({ length: 5 }, () => ({ zone: 'domestic', grams: 1000 }));
  assert.equal(orderPrice(parcels), 2025);
});

test('an unknown zone is refused', () => {
  assert.throws(() => parcelPrice({ zone: 'moon', grams: 1 }), RangeError);
});
