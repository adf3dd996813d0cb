const titleLength = 120;

/** The first line of a goal, for lists. */
export function toTitle(goal: string): string {
  const [line = ''] = goal.trim().split('\n', 1);
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1)}…`;
}
