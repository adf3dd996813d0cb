// Finds cycles in a directed graph. At least one is reported for every group of nodes that reach each other.

/** Each cycle as the nodes on it, in order; the last one leads back to the first. */
export function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    if (done.has(node)) return;
    const start = path.indexOf(node);
    if (start !== -1) {
      cycles.push(path.slice(start));
      return;
    }
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
