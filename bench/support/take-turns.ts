import { median } from './statistics.ts';

/**
 * The median of what each subject gives. They take turns in an order that is new each time, so that whatever else happens,
 * on the machine or after every so many starts, meets all of them.
 */
export async function takeTurns(
  turns: number,
  subjects: Readonly<Record<string, () => Promise<number>>>,
): Promise<Readonly<Record<string, number>>> {
  const taken = Object.entries(subjects).map(([name, take]) => {
    const values: number[] = [];
    return { name, take, values };
  });
  for (let turn = 0; turn < turns; turn++) {
    for (const { take, values } of shuffle(taken)) values.push(await take());
  }
  return Object.fromEntries(taken.map(({ name, values }) => [name, median(values)]));
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}
