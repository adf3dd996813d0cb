// A library that drives agents in a process: what `agent.ts` needs of it.
import type { ProfileName } from '../model/profiles.ts';

export interface EngineSettings {
  /** Base URL of a chat-completions wire, up to `/v1`. */
  readonly baseUrl: string;
  /** Directory for its journal; null: it keeps nothing. */
  readonly store: string | null;
}

export interface AgentTask {
  readonly conversation: string;
  readonly prompt: string;
  readonly workspace: string;
  readonly steps: number;
  /** `again`: the same task was begun by a process that was killed. */
  readonly begin: 'new' | 'again';
}

export interface AgentEngine {
  /** Drives one agent to its end; what the model said last. */
  run(task: AgentTask): Promise<string>;
  /** Of those that keep something; what is stored is measured afterwards. */
  close?(): Promise<void>;
}

export type OpenEngine = (settings: EngineSettings) => Promise<AgentEngine>;

export interface Library {
  /** Module below `engines/` that exports `open`. */
  readonly module: string;
  readonly profile: ProfileName;
  readonly keeps: 'nothing' | 'journal';
  readonly environment: Readonly<Record<string, string>>;
}
