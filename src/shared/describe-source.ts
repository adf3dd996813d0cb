// Where an agent has something from, in words: what it was shown itself, or through whom it came to it.
interface ShownSource {
  readonly origin: string;
  readonly target: string;
  readonly step: number;
  /** The nearest first. */
  readonly via?: readonly string[] | undefined;
}

export function describeSource({ origin, target, step, via = [] }: ShownSource): string {
  const when = step === 0 ? 'with its task' : `in step ${step}`;
  const shown = `shown ${target} (${origin})`;
  if (via.length === 0) return `it was ${shown} ${when}`;
  const [nearest, ...further] = via;
  const chain = further.map((agentId) => `, which was told by ${agentId}`).join('');
  return `it was told by ${nearest} ${when}${chain}, which was ${shown}`;
}
