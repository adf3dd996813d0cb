import type { Backend } from '../launch.ts';
import type { Isolation } from '../sandbox.ts';
import type { Advice } from './advise.ts';

/** A backend that this machine may be able to use; whether it can is for a trial to say. */
export interface Candidate {
  readonly id: Isolation;
  readonly backend: Backend | MissingBackend;
  /** Of what does the enclosing, where it tells one; asked of a program, so only when somebody wants to know. */
  version(): string | null;
}

/** What it needs is not here. */
export interface MissingBackend {
  readonly kind: 'missing';
  readonly reason: string;
  readonly advice: Advice | null;
}
