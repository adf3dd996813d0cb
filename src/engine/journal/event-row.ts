// How an event stands in its table, for the thread that writes it and the one that reads it.

/** A stored event as SQLite hands it over. A tuple, because naming the columns costs more than parsing them. */
export type EventRow = readonly [seq: number, agent: string, step: number, at: number, version: number, body: string];

/** The columns of an `EventRow`, in its order. */
export const eventRowColumns = 'seq, agent, step, at, version, body';

/**
 * The version of the event shapes this engine writes. It rises when a shape gains what an older engine must not ignore;
 * a row with a higher one is refused by the reader instead of being half understood.
 */
export const eventVersion = 1;
