// The engine's side of the program that makes jobs: started with the first command, one for all of them, because it takes a
// second to come up. Where it ends, everything in its jobs ends with it; the next command starts another.
import { type HelperProgram, type StartedHelper, startHelper } from '../../process/start-helper.ts';
import { readChannelLines } from '../linux/channel-lines.ts';
import {
  type BrokerEvent,
  type JobEvent,
  type JobLimits,
  parseBrokerEvent,
  sourceLine,
  toCloseLine,
  toEndLine,
  toOpenLine,
} from './broker-protocol.ts';

export interface JobBroker {
  /** Null when it works; otherwise why it does not. */
  ready(): Promise<string | null>;
  /** Puts a process into a job of its own. `hear` is told what becomes of it, until it is closed. */
  open(pid: number, limits: JobLimits, hear: (event: JobEvent | 'gone') => void): Job;
}

export interface Job {
  /** Ends everything in it. */
  end(): void;
  close(): void;
}

/** Ends when this process does. */
export function createJobBroker(program: HelperProgram): JobBroker {
  let current: Conversation | null = null;
  const converse = (): Conversation => {
    current = current?.isOver === false ? current : startConversation(program);
    return current;
  };
  return {
    ready: () => converse().ready,
    open: (pid, limits, hear) => converse().open(pid, limits, hear),
  };
}

interface Conversation extends Pick<JobBroker, 'open'> {
  readonly ready: Promise<string | null>;
  readonly isOver: boolean;
}

type Hear = Parameters<JobBroker['open']>[2];

/** Loading and compiling takes a second or two, more on a busy machine. */
const patienceMs = 30_000;

function startConversation(program: HelperProgram): Conversation {
  const helper = startHelper(program);
  if (helper === null) return noConversation;
  const jobs = new Map<number, Hear>();
  const ready = Promise.withResolvers<string | null>();
  let isOver = false;
  let lastJob = 0;
  helper.input.write(sourceLine);
  const patience = setTimeout(() => helper.end(), patienceMs);
  const settle = (answer: string | null): void => {
    clearTimeout(patience);
    ready.resolve(answer);
  };
  void listen(helper, (event) => {
    if ('job' in event) jobs.get(event.job)?.(event);
    else settle(event.event === 'ready' ? null : unfitness[event.reason]);
  }).then(() => {
    isOver = true;
    settle('the program that makes jobs ended, or did not answer, before it could be used');
    for (const hear of jobs.values()) hear('gone');
  });
  const tell = (line: string): void => {
    if (!isOver) helper.input.write(line);
  };
  return {
    ready: ready.promise,
    get isOver() {
      return isOver;
    },
    open(pid, limits, hear) {
      const job = ++lastJob;
      jobs.set(job, hear);
      tell(toOpenLine(job, pid, limits));
      return {
        end: () => tell(toEndLine(job)),
        close() {
          if (jobs.delete(job)) tell(toCloseLine(job));
        },
      };
    },
  };
}

const noConversation: Conversation = {
  ready: Promise.resolve('the program that makes jobs could not be started'),
  isOver: true,
  open(_pid, _limits, hear) {
    hear('gone');
    return { end: () => undefined, close: () => undefined };
  },
};

const unfitness: Readonly<Record<Extract<BrokerEvent, { event: 'unfit' }>['reason'], string>> = {
  language: 'PowerShell may run no programs of its own here (its language is constrained)',
  compiler: 'PowerShell could not compile the program that makes jobs',
};

/** Until it ends, or says something that it never would: then it is not believed any more. */
async function listen(helper: StartedHelper, hear: (event: BrokerEvent) => void): Promise<void> {
  const lines = readChannelLines(helper.output);
  const { signal } = new AbortController();
  for (;;) {
    const line = await lines.next(signal);
    const event = line === null ? null : parseBrokerEvent(line);
    if (event === null) break;
    hear(event);
  }
  helper.end();
}
