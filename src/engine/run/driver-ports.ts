// What a driver works with. Everything that touches the world comes in here, so the loop itself can be read and tested.
import type { TaskContract } from '../../shared/task-contract.ts';
import type { Checker } from '../check/check.ts';
import type { Guard } from '../guard/guard.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { ModelProvider, ToolSpec } from '../provider/model-provider.ts';
import type { Processes } from '../tool/process/processes.ts';
import type { Tool } from '../tool/tool.ts';
import type { Answers } from './answers.ts';
import type { LiveFeed } from './live-feed.ts';
import type { PolicyWatch } from './policy-watch.ts';
import type { Recorder } from './recorder.ts';
import type { Reviewer } from './reviewer.ts';
import type { RunClock } from './run-clock.ts';
import type { StanceOf } from './stance.ts';
import type { Transcript } from './transcript.ts';

export interface DriverPorts {
  readonly contract: TaskContract;
  readonly recorder: Recorder;
  readonly reader: JournalReader;
  readonly transcript: Transcript;
  readonly provider: ModelProvider;
  readonly guard: Guard;
  /** What an agent is judged by. */
  readonly stanceOf: StanceOf;
  readonly watchPolicy: PolicyWatch;
  /** Which answers of people count. */
  readonly answers: Answers;
  /** The model that answers asks; null when none does. */
  readonly reviewer: Reviewer | null;
  readonly tools: ReadonlyMap<string, Tool>;
  /** What the run keeps going between its calls; whoever made it ends it with the driver. */
  readonly processes: Processes;
  readonly toolSpecs: readonly ToolSpec[];
  readonly check: Checker['check'];
  readonly redactor: Redactor;
  readonly clock: RunClock;
  readonly live: LiveFeed;
  /** A number in [0, 1) for spreading retries. */
  readonly random: () => number;
}
