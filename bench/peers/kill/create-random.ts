/** Numbers from 0 to below 1, the same for the same seed (a linear congruential generator: enough to pick moments by). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
