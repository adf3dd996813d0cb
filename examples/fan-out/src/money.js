/** An amount in cents as people read it: 1234567 is 12,345.67. */
export function formatCents(cents) {
  const [whole, rest] = (cents / 100).toFixed(1).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
}
