// Puts the questions of a run to the person at the terminal, one after the other, while the run goes on: what it may do, and
// what became of a call that a crash interrupted. Whoever answers first is who counts: a question that was settled elsewhere is
// taken back, with the name of who did.
import type { Engine, JournalEvent, RunId } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import type { Question } from './ask-person.ts';
import { decisionWords } from './decided-lines.ts';
import type { HeldOutput } from './held-output.ts';
import { recoveryWords } from './recovery-lines.ts';
import { settleRecovery } from './settle-recovery.ts';
import { settleRequest } from './settle-request.ts';
import type { Terminal } from './terminal.ts';
import { describeWaiting, listWaiting, type WaitingQuestion } from './waiting-question.ts';

export interface TerminalApproverOptions {
  readonly engine: Pick<Engine, 'listApprovals' | 'decide' | 'previewRemember' | 'listRecoveries' | 'recover'>;
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
      const waiting = await listWaiting(options.engine, options.runId);
      const [first, ...others] = waiting.filter(({ id }) => !dealtWith.has(id));
      if (first === undefined) {
        await rung;
        continue;
      }
      open = { id: first.id, withdrawn: new AbortController() };
      await ask(options, first, { others, ...open, closing: closing.signal });
      dealtWith.add(first.id);
      open = null;
    }
  }

  return {
    done: askAll(),
    event(event) {
      const because = toEndOfQuestion(event);
      if (because !== null && open?.id === because.id) open.withdrawn.abort(because.why);
      if (event.type === 'approval-request' || event.type === 'recovery-request') bell.ring();
    },
    close() {
      closing.abort();
      bell.ring();
    },
  };
}

interface OpenQuestion {
  readonly id: string;
  /** Aborted, with the reason as text, when it need not be answered any more. */
  readonly withdrawn: AbortController;
}

interface AskOptions extends OpenQuestion {
  readonly others: readonly WaitingQuestion[];
  readonly closing: AbortSignal;
}

async function ask(
  options: TerminalApproverOptions,
  question: WaitingQuestion,
  { others, withdrawn, closing }: AskOptions,
): Promise<void> {
  const { terminal, output } = options;
  output.hold();
  try {
    terminal.write(`\n${toWaitingLines(others)}`);
    const signal = AbortSignal.any([closing, withdrawn.signal]);
    const end = await settle(options, question, signal);
    if (end === 'withdrawn' && withdrawn.signal.aborted) terminal.write(`${withdrawn.signal.reason}\n`);
  } finally {
    output.release();
  }
}

function settle(
  { engine, terminal, actor }: TerminalApproverOptions,
  question: WaitingQuestion,
  signal: AbortSignal,
): Promise<'settled' | 'withdrawn'> {
  if (question.kind === 'recovery') {
    const { recovery } = question;
    return settleRecovery({ terminal, recovery, signal }, { recover: engine.recover, actor });
  }
  const { id, approval: request } = question;
  const preview: Question['preview'] = (remember) => engine.previewRemember(id, remember);
  return settleRequest({ terminal, request, preview, signal }, { decide: engine.decide, actor });
}

const toWaitingLines = (others: readonly WaitingQuestion[]): string =>
  others.length === 0
    ? ''
    : `${others.length} more after this one:\n${others.map((other) => `  ${describeWaiting(other)}\n`).join('')}\n`;

/** The question that an event puts an end to, and why. */
function toEndOfQuestion(event: JournalEvent): { id: string; why: string } | null {
  switch (event.type) {
    case 'approval-lapse':
      return { id: event.request, why: `No longer asked: ${toVisible(event.because)}` };
    case 'approval-decision':
      if (event.decision === 'defer') return null;
      return { id: event.request, why: `Already ${decisionWords[event.decision]} by ${toVisible(event.actor)}.` };
    case 'recovery-decision':
      if (event.decision === 'defer' || event.request === undefined) return null;
      return {
        id: event.request,
        why: `Already decided by ${toVisible(event.actor)}: ${recoveryWords[event.decision]}.`,
      };
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
