// Whether a backend works here and encloses what it says it does, found out by the very launch that commands get.

import type { Backend } from '../launch.ts';
import { defaultLimits, type SandboxLimits, type SandboxResult } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import { type Advice, advise } from './advise.ts';
import type { Bait } from './bait.ts';
import type { HostFacts } from './host-facts.ts';
import { findEscape, parseReached, toEscapeAttempt } from './self-test.ts';

export type Trial =
  | { readonly kind: 'works'; readonly backend: Backend; readonly keptByKernel: ReadonlySet<keyof SandboxLimits> }
  | { readonly kind: 'fails'; readonly reason: string; readonly advice: Advice | null };

export interface TrialOptions {
  readonly backend: Backend;
  readonly bait: Bait;
  readonly facts: HostFacts;
  /** Null where there is none; what needs it has failed already. */
  readonly perl: string | null;
}

export const trialLimits: SandboxLimits = { ...defaultLimits, wallMs: 10_000, diskBytes: 16 * 1024 ** 2 };

export async function tryEnclosure({ backend, bait, facts, perl }: TrialOptions): Promise<Trial> {
  let keptByKernel: ReadonlySet<keyof SandboxLimits> = new Set();
  const watched: Backend = {
    isolation: backend.isolation,
    async prepare(spec, signal) {
      const launch = await backend.prepare(spec, signal);
      if (launch.kind === 'launch') keptByKernel = launch.keptByKernel;
      return launch;
    },
  };
  const argv = perl === null ? askForUser : toEscapeAttempt(perl, bait);
  const directory = { mode: 'ephemeral', files: [], collect: [] } as const;
  const spec = { argv, directory, environment: {}, limits: trialLimits };
  const result = await toSandbox(watched).run(spec, new AbortController().signal);
  if (result.kind !== 'exit' || result.code !== 0) return toFailure(result, facts);
  const reached = perl === null ? toUserAlone(result.stdout.text) : parseReached(result.stdout.text);
  if (reached === null) return { kind: 'fails', reason: 'a trial command did not say what it found', advice: null };
  const way = findEscape(backend.isolation, reached);
  if (way !== null) return { kind: 'fails', reason: `a command ${way}`, advice: null };
  return { kind: 'works', backend, keptByKernel };
}

/** Why a trial did not get to its end. */
export function toFailure(result: SandboxResult, facts: HostFacts): Extract<Trial, { kind: 'fails' }> {
  const reason = toReason(result);
  const own = result.kind === 'not-started' ? result.advice : undefined;
  const advice = own === undefined ? advise(reason, facts) : { text: own, command: null };
  return { kind: 'fails', reason, advice };
}

function toReason(result: SandboxResult): string {
  switch (result.kind) {
    case 'not-started':
      return result.reason;
    case 'exit':
      return `a trial command exited with ${result.code}: ${result.stderr.text.trim()}`;
    case 'signal':
      return `a trial command was ended by ${result.signal}`;
    case 'cap':
      return `a trial command reached its cap on ${result.hit.cap}`;
    case 'cancelled':
      return 'a trial command was cancelled';
  }
}

/** Windows gives users no numbers, and who has too many rights there has been refused before. */
const askForUser =
  process.platform === 'win32' ? (['cmd.exe', '/d', '/c', 'echo -1'] as const) : (['id', '-u'] as const);

/** Nothing is claimed to be enclosed where this is asked. */
function toUserAlone(output: string) {
  const user = Number(output.trim() || Number.NaN);
  return Number.isNaN(user) ? null : { user, file: true, port: true, process: true, kernel: false };
}
