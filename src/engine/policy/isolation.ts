// How strongly a command can be enclosed, from not at all to most. A permission that was given under one isolation is not
// one under a weaker: what it allows would reach further there.
import { z } from 'zod';

/** From weak to strong. `none`: caps on time and output, but files and network lie open to the command. */
export const Isolation = z.enum(['none', 'landlock', 'seatbelt', 'bwrap']);
export type Isolation = z.infer<typeof Isolation>;

/**
 * The least that commands must be enclosed by to be run at all. `caps-only` takes what there is: where nothing encloses them
 * here, they run with no more than caps.
 */
export const MinimumIsolation = z.enum(['isolated', 'caps-only']);
export type MinimumIsolation = z.infer<typeof MinimumIsolation>;

const fromWeakToStrong: readonly string[] = Isolation.options;

/** The first one that keeps a command from the network and from the files around its workspace. */
export const weakestEnclosure: Isolation = 'landlock';

/** Whether commands enclosed by `actual` reach no further than by `needed`; an isolation nobody knows never does. */
export function isIsolatedEnough(actual: string, needed: string): boolean {
  const neededRank = fromWeakToStrong.indexOf(needed);
  return neededRank !== -1 && fromWeakToStrong.indexOf(actual) >= neededRank;
}
