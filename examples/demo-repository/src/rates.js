import { zones } from './zones.js';

const includedKilograms = 2;

/** The price of one parcel in cents. */
export function parcelPrice({ zone, grams, express = false }) {
  const rate = zones[zone];
  if (rate === undefined) throw new RangeError(`Unknown zone: ${zone}`);
  const extra = Math.max(0, Math.floor(grams / 1000) - includedKilograms);
  const price = rate.base + extra * rate.perKilogram;
  return express ? price * 2 : price;
}

/** The price of an order in cents, with the discount for many parcels. */
export function orderPrice(parcels) {
  const sum = parcels.reduce((total, parcel) => total + parcelPrice(parcel), 0);
  return parcels.length > 5 ? Math.round(sum * 0.9) : sum;
}
