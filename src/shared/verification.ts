// What counts as done. Every kind says in its name how it is decided; `none` says that nobody decides.
import { z } from 'zod';

const path = z.string().min(1);
const files = z.array(path).min(1);

const leafKinds = [
  z.strictObject({ kind: z.literal('fileContains'), file: path, text: z.string().min(1) }),
  z.strictObject({ kind: z.literal('fileEquals'), file: path, text: z.string() }),
  z.strictObject({
    kind: z.literal('command'),
    argv: z.tuple([z.string().min(1)], z.string()),
    expectExit: z.int().min(0).max(255).default(0),
  }),
  z.strictObject({ kind: z.literal('matchesSchema'), file: path, schema: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal('rustCompiles'), files }),
  z.strictObject({ kind: z.literal('rustTest'), files, testSource: z.string().min(1) }),
  z.strictObject({ kind: z.literal('nodeTest'), files, testSource: z.string().min(1) }),
  z.strictObject({ kind: z.literal('pythonTest'), files, testSource: z.string().min(1) }),
  z.strictObject({ kind: z.literal('goTest'), files, testSource: z.string().min(1) }),
] as const;

const LeafVerification = z.discriminatedUnion('kind', leafKinds);
export type LeafVerification = z.infer<typeof LeafVerification>;

/** The criterion of a contract. `all` holds when each of its parts holds; parts are leaves, so nothing nests. */
export const Verification = z.discriminatedUnion('kind', [
  ...leafKinds,
  z.strictObject({ kind: z.literal('all'), of: z.array(LeafVerification).min(1) }),
  z.strictObject({ kind: z.literal('none') }),
]);
export type Verification = z.infer<typeof Verification>;

/** Each criterion for itself. */
export function toLeaves(verification: Verification): readonly LeafVerification[] {
  switch (verification.kind) {
    case 'all':
      return verification.of;
    case 'none':
      return [];
    default:
      return [verification];
  }
}
