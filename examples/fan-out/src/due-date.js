/** The day on which an invoice has to be paid: so many days after it was issued. */
export function toDueDate(issued, days) {
  const due = new Date(`${issued}T00:00:00Z`);
  due.setDate(due.getUTCDate() + days - 1);
  return due.toISOString().slice(0, 10);
}
