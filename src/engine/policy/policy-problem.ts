// One thing that is wrong with a policy file.
export interface PolicyProblem {
  /** The keys and positions that lead to it from the top. */
  readonly path: readonly (string | number)[];
  /** What is wrong with what stands there, as the end of a sentence that begins with the path. */
  readonly message: string;
}
