/** The number that follows on an invoice number: 2026-0009 is followed by 2026-0010. */
export function nextNumber(number) {
  const [year, count] = number.split('-');
  return `${year}-${Number(count) + 1}`;
}
