/** Prices in cents: the base rate covers the first two kilograms. */
export const zones = {
  domestic: { base: 450, perKilogram: 120 },
  neighbour: { base: 890, perKilogram: 210 },
  world: { base: 1690, perKilogram: 480 },
};
