// Command-line options: names and types in one place, unknown ones refused with the way out.
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { RunSettingsParams } from '../engine/index.ts';
import { EngineError } from '../shared/engine-error.ts';
import { Posture } from '../shared/event.ts';
import { RunId } from '../shared/id.ts';
import { RecoveryPolicy } from '../shared/recovery.ts';

export const homeOptions = { home: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

export const driveOptions = {
  ...homeOptions,
  model: { type: 'string' },
  provider: { type: 'string' },
  approve: { type: 'string' },
  reviewer: { type: 'string' },
  recovery: { type: 'string' },
  policy: { type: 'string' },
  'minimum-isolation': { type: 'string' },
  'context-tokens': { type: 'string' },
  'shared-home': { type: 'boolean', default: false },
  deltas: { type: 'boolean', default: false },
} as const;

/** Parses `args`; positionals are allowed and must be checked by the caller. Throws `usage`. */
export function parseOptions<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

interface DriveValues {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly approve?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly recovery?: string | undefined;
  readonly policy?: string | undefined;
  readonly 'minimum-isolation'?: string | undefined;
  readonly 'context-tokens'?: string | undefined;
  readonly 'shared-home'?: boolean;
}

/** What the flags say about how a run is driven. Throws `usage`. */
export function toRunSettings(values: DriveValues): RunSettingsParams {
  const { model, provider, reviewer, policy } = values;
  return {
    model,
    provider,
    approve: parsePosture(values.approve),
    reviewer,
    recovery: parseRecovery(values.recovery),
    policyFile: policy === undefined ? undefined : resolve(policy),
    minimumIsolation: parseIsolation(values['minimum-isolation']),
    contextTokens: parseCount(values['context-tokens'], 'context-tokens'),
    ...(values['shared-home'] ? { sharedHome: 'allow' } : {}),
  };
}

function parseIsolation(text: string | undefined): RunSettingsParams['minimumIsolation'] {
  if (text === undefined || text === 'isolated' || text === 'caps-only') return text;
  throw usage(`--minimum-isolation takes isolated or caps-only, not "${text}".`);
}

function parsePosture(text: string | undefined): Posture | undefined {
  if (text === undefined) return undefined;
  const posture = Posture.safeParse(text);
  if (posture.success) return posture.data;
  throw usage(`--approve takes ${Posture.options.join(', ')}, not "${text}".`);
}

function parseRecovery(text: string | undefined): RecoveryPolicy | undefined {
  if (text === undefined) return undefined;
  const policy = RecoveryPolicy.safeParse(text);
  if (policy.success) return policy.data;
  throw usage(`--recovery takes ${RecoveryPolicy.options.join(' or ')}, not "${text}".`);
}

export function parseCount(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw usage(`--${option} takes a whole number above 0, not "${text}".`);
}

/** The one run a command is about. */
export function parseRunId(positionals: readonly string[], command: string): RunId {
  const [text, ...more] = positionals;
  if (text === undefined || more.length > 0) throw usage(`"io-studio ${command}" takes one run id.`);
  const runId = RunId.safeParse(text);
  if (runId.success) return runId.data;
  throw usage(`"${text}" is not a run id; "io-studio runs" lists them.`);
}

export const usage = (message: string): EngineError =>
  new EngineError('usage', message, { remedy: 'See "io-studio help".' });
