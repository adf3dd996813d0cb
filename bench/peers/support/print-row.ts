/** One line of JSON with a word before it, numbers to the third place. */
export function printRow(word: string, row: object): void {
  const text = JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(3)) : value,
  );
  process.stdout.write(`${word} ${text}\n`);
}
