/** The tax in a gross amount, in whole cents, halves rounded up: 11900 cents at 19 per cent hold 1900. */
export function toTaxCents(grossCents, percent) {
  return Math.round((grossCents * percent) / 100);
}
