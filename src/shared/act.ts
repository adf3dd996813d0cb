// What policy judges: four kinds of act, three effects, and a verdict that carries its reason.
import { z } from 'zod';

export const ActKind = z.enum(['read', 'write', 'exec', 'net']);
export type ActKind = z.infer<typeof ActKind>;

export const Effect = z.enum(['allow', 'ask', 'deny']);
export type Effect = z.infer<typeof Effect>;

/** An act as a tool declares it, before the guard has looked at the file system. */
export interface DeclaredAct {
  readonly kind: ActKind;
  /** For `read` and `write` a path relative to the workspace, as the model wrote it. */
  readonly target: string;
}

export const Verdict = z.strictObject({
  effect: Effect,
  /** The pattern that decided, or null when a default did. */
  rule: z.string().nullable(),
  /** The layer the rule stands in; `default` when no rule matched. */
  layer: z.string(),
  /** One sentence for people: what was decided, by what, and what would change it. */
  because: z.string(),
});
export type Verdict = z.infer<typeof Verdict>;
