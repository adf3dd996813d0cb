// Where what an agent was shown came from. The label is part of the fold and only ever grows: neither compaction nor the
// model's own words can take an origin back.
import type { Origin } from './blob-ref.ts';
import type { AgentId } from './id.ts';

/** The first thing of its kind that an agent was shown. */
export interface LabelSource {
  readonly origin: Origin;
  /** The file, command or address it came from. */
  readonly target: string;
  readonly step: number;
  /** The agents that it went through on its way, the nearest first; absent where the agent was shown it itself. */
  readonly via?: AgentId[] | undefined;
}

export interface Label {
  /** Every origin the agent was shown, in the order in which they came. */
  origins: Origin[];
  /** The first input that somebody else may have written; null while there is none. */
  untrusted: LabelSource | null;
  /** The first input that nobody else should see; null while there is none. */
  sensitive: LabelSource | null;
}

/** An agent that holds both could be talked into handing the one to the other. */
export function isTainted({ untrusted, sensitive }: Label): boolean {
  return untrusted !== null && sensitive !== null;
}

/** What people and the engine itself write is trusted; what a model writes follows from what it was shown. */
const untrustedOrigins: ReadonlySet<Origin> = new Set(['repository', 'command', 'web', 'mcp']);

export const emptyLabel = (): Label => ({ origins: [], untrusted: null, sensitive: null });

/** The same for an agent that has it from another one. */
export const inheritSource = (source: LabelSource, from: AgentId): LabelSource => ({
  ...source,
  via: [from, ...(source.via ?? [])],
});

/** Adds what the agent is about to be shown. */
export function addToLabel(label: Label, source: LabelSource, isSensitive: boolean): void {
  if (!label.origins.includes(source.origin)) label.origins.push(source.origin);
  if (untrustedOrigins.has(source.origin)) label.untrusted ??= source;
  if (isSensitive) label.sensitive ??= source;
}
