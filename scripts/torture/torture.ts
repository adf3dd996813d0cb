/** A part of the torture: so many rounds, each under another seed, and what was counted over all of them. */
export type Torture = (rounds: number) => Promise<readonly TortureRow[]>;

export interface TortureRow {
  readonly counted: string;
  readonly count: number;
  /** It has to be 0. */
  readonly isFault: boolean;
}
