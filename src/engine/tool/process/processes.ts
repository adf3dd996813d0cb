// The processes that a run keeps going between its calls. They belong to this driver of the run: with it they end, and no
// other driver finds, signals or ends them.
import { randomBytes } from 'node:crypto';
import type { BoundWorkspace, CommandEnd, LastingProcess } from '../../guard/guard.ts';
import type { LiveCommand, SandboxSession } from '../../sandbox/sandbox.ts';
import { createOutputLog, type OutputLog } from './output-log.ts';

export interface RunningProcess {
  /** No two drivers of a run give the same. */
  readonly id: string;
  /** What runs, as people were shown it. */
  readonly text: string;
  readonly log: OutputLog;
  /** Null until it runs, and for one that never did. */
  readonly live: LiveCommand | null;
  /** What it may do in the workspace; null until that is settled. */
  readonly workspace: BoundWorkspace | null;
  /** How it ended; null while it runs. */
  readonly end: CommandEnd | null;
  /** When it writes something or ends. */
  changed(): Promise<void>;
  /** Ends it with everything that came of it, and settles when it has ended. */
  stop(): Promise<CommandEnd>;
}

export type StartCommand = (process: Omit<LastingProcess, 'writes'>, signal: AbortSignal) => Promise<CommandEnd>;

export interface Processes extends AsyncDisposable {
  /** Settles when it runs, or will not. Null: there are too many already. */
  start(text: string, run: StartCommand): Promise<RunningProcess | null>;
  find(id: string): RunningProcess | null;
  list(): readonly RunningProcess[];
  /** Those that have ended since it was asked last. */
  takeEnded(): readonly RunningProcess[];
}

const maxRunning = 16;
/** Of what has ended only so many are remembered. */
const maxKnown = 64;
const keptBytes = 1024 * 1024;

export function createProcesses(): Processes {
  const driver = randomBytes(2).toString('hex');
  const known = new Map<string, RunningProcess>();
  const untaken = new Set<RunningProcess>();
  let count = 0;
  const running = (): RunningProcess[] => [...known.values()].filter(({ end }) => end === null);
  return {
    async start(text, run) {
      if (running().length >= maxRunning) return null;
      const id = `p${++count}-${driver}`;
      const { process, begun } = startProcess(id, text, run);
      known.set(id, process);
      untaken.add(process);
      forgetEnded(known);
      await begun;
      return process;
    },
    find: (id) => known.get(id) ?? null,
    list: () => [...known.values()],
    takeEnded() {
      const ended = [...untaken].filter(({ end }) => end !== null);
      for (const process of ended) untaken.delete(process);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running().map((process) => process.stop()));
    },
  };
}

function forgetEnded(known: Map<string, RunningProcess>): void {
  for (const [id, { end }] of known) if (known.size > maxKnown && end !== null) known.delete(id);
}

function startProcess(id: string, text: string, run: StartCommand) {
  const ending = new AbortController();
  const log = createOutputLog(keptBytes);
  let change = Promise.withResolvers<void>();
  const tell = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const begun = Promise.withResolvers<void>();
  let live: LiveCommand | null = null;
  let end: CommandEnd | null = null;
  let workspace: BoundWorkspace | null = null;
  const session: SandboxSession = {
    onStart(command) {
      live = command;
      begun.resolve();
    },
    onOutput(bytes) {
      log.push(bytes);
      tell();
    },
  };
  const onWorkspace = (bound: BoundWorkspace): void => {
    workspace = bound;
  };
  const ended = run({ name: id, session, onWorkspace }, ending.signal)
    .catch(toRefusal)
    .then((result) => {
      end = result;
      tell();
      return result;
    });
  const process: RunningProcess = {
    id,
    text,
    log,
    get live() {
      return live;
    },
    get workspace() {
      return workspace;
    },
    get end() {
      return end;
    },
    changed: () => change.promise,
    stop() {
      ending.abort();
      return ended;
    },
  };
  return { process, begun: Promise.race([begun.promise, ended]) };
}

/** Nobody may be waiting when it happens, so it is told to whoever looks next. */
function toRefusal(error: unknown): CommandEnd {
  return { kind: 'refused', because: error instanceof Error ? error.message : String(error) };
}
