// What policy judges: four kinds of act, three effects, and a verdict that carries its reason. A declared act is what somebody
// wants; a resolved one holds everything the world had to be asked for, so that judging it is pure and can be repeated.
import { z } from 'zod';

export const ActKind = z.enum(['read', 'write', 'exec', 'net']);
export type ActKind = z.infer<typeof ActKind>;

export const Effect = z.enum(['allow', 'ask', 'deny']);
export type Effect = z.infer<typeof Effect>;

/** An act as a tool declares it, before the guard has looked at anything. */
export type DeclaredAct =
  /** A path relative to the workspace, as the model wrote it. */
  | { readonly kind: 'read' | 'write'; readonly target: string }
  /** A line for the shell; every command, operand and redirect in it is an act of its own. */
  | { readonly kind: 'exec'; readonly line: string }
  /** A program and its arguments, which no shell will see. */
  | {
      readonly kind: 'exec';
      readonly argv: readonly [string, ...string[]];
      /** Whoever runs it has git leave out what may not be read, also of what git itself keeps. */
      readonly leavesOutUnreadable?: true;
    }
  /** `host:port`; IPv6 addresses in brackets. */
  | { readonly kind: 'net'; readonly target: string };

export const PathAct = z.strictObject({
  kind: z.enum(['read', 'write']),
  /** Relative to the workspace, `/`-separated, without `.` and `..`; `.` is the workspace itself. Absolute when `outside`. */
  target: z.string(),
  /** The same after links; null where it cannot be told, or leaves the workspace by a door that has no other side. */
  real: z.string().nullable(),
  /** `ignored` where the volume takes `.ENV` and `.env` for one file: then both spellings are judged. */
  letterCase: z.enum(['exact', 'ignored']),
  /** It lies outside the workspace, where only a command can reach it and only rules with absolute patterns speak. */
  outside: z.boolean(),
});
export type PathAct = z.infer<typeof PathAct>;

export const Program = z.strictObject({
  /** As it stands at the head of the act's target. */
  written: z.string(),
  /** Where the file really lies; null for a builtin of the shell, or when there is no such file. */
  real: z.string().nullable(),
  /** The fixed system PATH finds this very file by its basename, or the shell has it built in: then its bare name means it. */
  isSystem: z.boolean(),
});
export type Program = z.infer<typeof Program>;

export const ExecAct = z.strictObject({
  kind: z.literal('exec'),
  /** Program and arguments joined by single spaces, each quoted only where it needs to be. For an opaque act the text itself. */
  target: z.string(),
  /** Null where the text does not say which program it is. */
  program: Program.nullable(),
  /** Why nobody can say from the text what it will do; then it is never allowed without asking. Null where one can. */
  opaque: z.string().nullable(),
});
export type ExecAct = z.infer<typeof ExecAct>;

export const NetAct = z.strictObject({
  kind: z.literal('net'),
  /** `host:port` with the host in its normal form. */
  target: z.string(),
  /** The address that is connected to, `ip:port`; null while no connection is being made. */
  address: z.string().nullable(),
});
export type NetAct = z.infer<typeof NetAct>;

/** An act with everything found out that its verdict depends on. */
export const ResolvedAct = z.discriminatedUnion('kind', [PathAct, ExecAct, NetAct]);
export type ResolvedAct = z.infer<typeof ResolvedAct>;

/** Where a layer came from, and with it who may change it. */
export const LayerOrigin = z.enum([
  /** Lies under every policy. */
  'built-in',
  /** The person's own file in the engine's home. */
  'user',
  /** The person's file for this workspace, also in the home. */
  'project',
  /** Handed over by whoever starts the run. */
  'app',
  /** Remembered by a person for the rest of this run. */
  'run',
  /** Follows from the contract. */
  'contract',
  /** A file of the workspace; it can only narrow. */
  'repository',
  /** The narrowing of an agent by the one that spawned it. */
  'agent',
  /** No layer: the default of the kind of act. */
  'default',
]);
export type LayerOrigin = z.infer<typeof LayerOrigin>;

export const Verdict = z.strictObject({
  effect: Effect,
  /** The pattern that decided, or null when a default did. */
  rule: z.string().nullable(),
  /** The layer the rule stands in; `default` when no rule matched. */
  layer: z.string(),
  origin: LayerOrigin,
  /** One sentence for people: what was decided, and by what. */
  because: z.string(),
  /** The nearest change that would alter it, as the end of that sentence; null for what is allowed. */
  wouldChange: z.string().nullable(),
});
export type Verdict = z.infer<typeof Verdict>;

/** A resolved act and what was decided about it. */
export interface JudgedAct {
  readonly act: ResolvedAct;
  readonly verdict: Verdict;
}

/** How strict an effect is: of several verdicts on one call the strictest is the call's. */
export const strictness: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };
