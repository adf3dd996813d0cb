/** Milliseconds since the epoch with fractions, from a monotonic clock: comparable with the model server's log. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
