// A policy as people write it: rules in named layers, and defaults. The shape is strict, because a misspelt key must never
// read as "no rule"; which patterns a rule may hold is for `findPatternProblem`.
import { z } from 'zod';
import { ActKind, Effect } from '../../shared/act.ts';
import { Isolation, MinimumIsolation } from './isolation.ts';

/** One rule: what it does to which acts. */
export const FileRule = z.strictObject({
  act: ActKind,
  effect: Effect,
  pattern: z
    .string()
    .describe(
      'Anchored: `*` is any run of characters, `/` included, `?` one. Without `/` it also tests the last part.',
    ),
  except: z.array(z.string()).exactOptional().describe('What the pattern takes in but the rule does not mean.'),
  when: z.literal('tainted').exactOptional().describe('Only for agents that hold both untrusted and sensitive input.'),
  isolation: Isolation.exactOptional().describe(
    'An allow holds only where commands are enclosed at least so strongly.',
  ),
  reason: z.string().max(300).exactOptional().describe('Why the rule is there, shown to whoever it stops.'),
});
export type FileRule = z.infer<typeof FileRule>;

const layerName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'must be a short name of letters, digits, `.`, `_` and `-`');

/** The rules of one concern, under a name that verdicts report. */
export const FileLayer = z.strictObject({ name: layerName, rules: z.array(FileRule) });
export type FileLayer = z.infer<typeof FileLayer>;

/** A directory or file of this machine that commands may read. */
export const FileMount = z.strictObject({
  source: z.string().describe('Absolute path on this machine.'),
  target: z.string().exactOptional().describe('Where commands see it; the same path without it. Never writable.'),
});
export type FileMount = z.infer<typeof FileMount>;

/** What encloses commands. Only the person may say it, in the policy of the engine's home. */
export const FileSandbox = z.strictObject({
  minimumIsolation: MinimumIsolation.exactOptional().describe(
    '`isolated`, the default: no command runs where nothing encloses it. `caps-only`: it runs there too, under caps alone.',
  ),
  mounts: z.array(FileMount).exactOptional().describe('What commands may read beside the system and its toolchains.'),
});
export type FileSandbox = z.infer<typeof FileSandbox>;

/** How the store of the engine's home is looked after. Only the person may say it, in the policy of that home. */
export const FileStore = z.strictObject({
  quota: z
    .string()
    .exactOptional()
    .describe(
      'From which size on people are told: bytes, bytes with a unit such as `10GiB`, or `none`. Nothing is deleted.',
    ),
});
export type FileStore = z.infer<typeof FileStore>;

export const PolicyFile = z.strictObject({
  $schema: z.string().exactOptional(),
  layers: z.array(FileLayer).exactOptional(),
  /** What is decided where no rule speaks; a kind left out keeps the default of the wider scope. */
  defaults: z
    .strictObject({
      read: Effect.exactOptional(),
      write: Effect.exactOptional(),
      exec: Effect.exactOptional(),
      net: Effect.exactOptional(),
    })
    .exactOptional(),
  sandbox: FileSandbox.exactOptional(),
  store: FileStore.exactOptional(),
});
export type PolicyFile = z.infer<typeof PolicyFile>;
