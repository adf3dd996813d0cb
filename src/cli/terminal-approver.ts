// Puts the questions of a run to the person at the terminal, one after the other, while the run goes on. Whoever answers
// first is who counts: a question that was settled elsewhere is taken back, with the name of who did.
import type { ApprovalRequest, Engine, JournalEvent, RunId } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import type { Question } from './ask-person.ts';
import { decisionWords } from './decided-lines.ts';
import type { HeldOutput } from './held-output.ts';
import { settleRequest } from './settle-request.ts';
import type { Terminal } from './terminal.ts';

export interface TerminalApproverOptions {
  readonly engine: Pick<Engine, 'listApprovals' | 'decide' | 'previewRemember'>;
  readonly runId: RunId;
  readonly terminal: Terminal;
  /** Everything else that is written there; held up while a question stands. */
  readonly output: HeldOutput;
  readonly actor: string;
}

export interface TerminalApprover {
  /** Takes notice of what happens to the run. */
  event(event: JournalEvent): void;
  /** Settles when it has stopped asking; rejects when the engine failed it. */
  readonly done: Promise<void>;
  /** Takes back what is being asked and stops. Can be called twice. */
  close(): void;
}

export function createTerminalApprover(options: TerminalApproverOptions): TerminalApprover {
  const closing = new AbortController();
  const bell = createBell();
  /** Answered or put off here: not asked again. */
  const dealtWith = new Set<string>();
  let open: OpenQuestion | null = null;

  async function askAll(): Promise<void> {
    while (!closing.signal.aborted) {
      const rung = bell.next(); // Before looking, so that nothing that comes in meanwhile is missed.
      const waiting = await options.engine.listApprovals(options.runId);
      const [first, ...others] = waiting.filter(({ request }) => !dealtWith.has(request));
      if (first === undefined) {
        await rung;
        continue;
      }
      open = { request: first.request, withdrawn: new AbortController() };
      await ask(options, first, { others, ...open, closing: closing.signal });
      dealtWith.add(first.request);
      open = null;
    }
  }

  return {
    done: askAll(),
    event(event) {
      const because = toEndOfQuestion(event);
      if (because !== null && open?.request === because.request) open.withdrawn.abort(because.why);
      if (event.type === 'approval-request') bell.ring();
    },
    close() {
      closing.abort();
      bell.ring();
    },
  };
}

interface OpenQuestion {
  readonly request: string;
  /** Aborted, with the reason as text, when it need not be answered any more. */
  readonly withdrawn: AbortController;
}

interface AskOptions extends OpenQuestion {
  readonly others: readonly ApprovalRequest[];
  readonly closing: AbortSignal;
}

async function ask(
  { engine, terminal, output, actor }: TerminalApproverOptions,
  request: ApprovalRequest,
  { others, withdrawn, closing }: AskOptions,
): Promise<void> {
  output.hold();
  try {
    terminal.write(`\n${toWaitingLines(others)}`);
    const signal = AbortSignal.any([closing, withdrawn.signal]);
    const preview: Question['preview'] = (remember) => engine.previewRemember(request.request, remember);
    const end = await settleRequest({ terminal, request, preview, signal }, { decide: engine.decide, actor });
    if (end === 'withdrawn' && withdrawn.signal.aborted) terminal.write(`${withdrawn.signal.reason}\n`);
  } finally {
    output.release();
  }
}

const toWaitingLines = (others: readonly ApprovalRequest[]): string =>
  others.length === 0
    ? ''
    : `${others.length} more after this one:\n${others.map(({ act, target }) => `  ${act} ${toVisible(target)}\n`).join('')}\n`;

/** The question that an event puts an end to, and why. */
function toEndOfQuestion(event: JournalEvent): { request: string; why: string } | null {
  switch (event.type) {
    case 'approval-lapse':
      return { request: event.request, why: `No longer asked: ${toVisible(event.because)}` };
    case 'approval-decision':
      if (event.decision === 'defer') return null;
      return { request: event.request, why: `Already ${decisionWords[event.decision]} by ${toVisible(event.actor)}.` };
    default:
      return null;
  }
}

/** Rings for whoever waits for the next time. */
function createBell() {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    next: () => promise,
    ring() {
      resolve();
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
  };
}
