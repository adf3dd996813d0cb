// What a driver works with. Everything that touches the world comes in here, so the loop itself can be read and tested.
import type { AgentId } from '../../shared/id.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import type { Price } from '../../shared/usage.ts';
import type { Checker } from '../check/check.ts';
import type { Guard } from '../guard/guard.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { ModelProvider, ToolSpec } from '../provider/model-provider.ts';
import type { Processes } from '../tool/process/processes.ts';
import type { Tool } from '../tool/tool.ts';
import type { AgentWorktrees } from './agents/agent-worktrees.ts';
import type { Answers } from './answers.ts';
import type { LiveFeed } from './live-feed.ts';
import type { PolicyWatch } from './policy-watch.ts';
import type { Recorder, RunRecorder } from './recorder.ts';
import type { Reviewer } from './reviewer.ts';
import type { RunClock } from './run-clock.ts';
import type { StanceOf } from './stance.ts';
import type { Transcript } from './transcript.ts';

/** What each agent has of its own, where calls and checks are concerned. */
export interface AgentCallPorts {
  /** The contract of the run; for a spawned agent its task in the place of goal and verification. */
  readonly contract: TaskContract;
  readonly tools: ReadonlyMap<string, Tool>;
  /** What it keeps going between its calls; it ends with the agent. */
  readonly processes: Processes;
  readonly check: Checker['check'];
}

/** What calls and checks are judged and carried out with: nothing of it reaches a model. */
export interface CallPorts extends AgentCallPorts {
  readonly recorder: Recorder;
  readonly reader: Pick<JournalReader, 'readBlob' | 'readOriginal'>;
  readonly transcript: Transcript;
  readonly guard: Guard;
  /** Of agents that work apart; null where nothing is made or removed. */
  readonly worktrees: AgentWorktrees | null;
  /** What an agent is judged by. */
  readonly stanceOf: StanceOf;
  /** Which answers of people count. */
  readonly answers: Answers;
  /** Of a model that the contract allows spawned agents; null: unpriced. */
  readonly priceOf: (model: string) => Price | null;
  readonly redactor: Redactor;
  readonly clock: RunClock;
}

/** What an agent has of its own. */
export interface AgentPorts extends AgentCallPorts {
  /** Of where it works. */
  readonly guard: Guard;
  readonly provider: ModelProvider;
  readonly toolSpecs: readonly ToolSpec[];
}

/** What a driver works with; what each agent has of its own is here that of the root. */
export interface DriverPorts extends CallPorts, AgentPorts {
  readonly recorder: RunRecorder;
  readonly reader: JournalReader;
  /** For an agent that was spawned, once: whoever asks ends its processes. */
  readonly openAgent: (agentId: AgentId) => AgentPorts;
  readonly watchPolicy: PolicyWatch;
  /** The model that answers asks; null when none does. */
  readonly reviewer: Reviewer | null;
  readonly live: LiveFeed;
  /** A number in [0, 1) for spreading retries. */
  readonly random: () => number;
}
