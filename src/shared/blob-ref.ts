// A text or file content lives once, in the journal's blob table; everything else carries a reference to it.
import { z } from 'zod';
import { BlobHash } from './id.ts';

/** Where a content came from. Provenance follows it into every context it is shown in. */
export const Origin = z.enum(['person', 'contract', 'repository', 'command', 'web', 'mcp', 'model', 'engine', 'agent']);
export type Origin = z.infer<typeof Origin>;

export const BlobRef = z.strictObject({
  hash: BlobHash,
  /** Size of the original in bytes. */
  bytes: z.int().nonnegative(),
  origin: Origin,
  /** The readable form has secrets masked; the original is sealed beside it. */
  sealed: z.literal(true).optional(),
  /** Nobody else should see it: it held a secret, or somebody had to be asked before it was read. */
  sensitive: z.literal(true).optional(),
});
export type BlobRef = z.infer<typeof BlobRef>;
