// What the file system says of a failure, for a decision or a sentence.

/** The error's code (`ENOENT`), or its text where it has none. */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
