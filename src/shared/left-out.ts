// When even pointers no longer fit, the oldest turns are left out of what the model is shown: all but the words that the
// conversation began with, and one line that says so.

/** Of an agent's context: items before this place, behind its first two, are not shown. */
export interface LeftOut {
  readonly before: number;
  readonly turns: number;
}

export const nothingLeftOut: LeftOut = { before: 0, turns: 0 };

/** The system's words and the task. */
export const headItems = 2;

export const isLeftOut = (place: number, { before }: LeftOut): boolean => place >= headItems && place < before;

export const countLeftOut = ({ before }: LeftOut): number => Math.max(0, before - headItems);

/** The one line that stands for them. */
export const toLeftOutNote = ({ turns }: LeftOut): string =>
  `[${turns} earlier turns were left out to save room. What they changed is in the workspace: look there for what you need of it.]`;
