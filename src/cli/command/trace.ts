// `io-studio trace RUN`: the run as its journal tells it.
import type { Engine, JournalEvent, RunId, TraceRow } from '../../engine/index.ts';
import { rootAgentId } from '../../shared/id.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { untilStopped } from '../until-stopped.ts';
import { toVerdictLines } from '../verdict-lines.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, follow: { type: 'boolean', default: false } } as const;

const pageSize = 1000;

export async function traceCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'trace');
  return withEngine(values.home, async (engine) => {
    const state = await engine.readRun(runId);
    if (values.follow) return await followRun(engine, runId, values.json ? null : state.startedAt);
    if (values.json) {
      await writePages((seq) => engine.readEvents(runId, seq, pageSize), JSON.stringify);
      return 0;
    }
    await writePages(
      (seq) => engine.readTrace(runId, seq, pageSize),
      (row) => toLine(row, state.startedAt),
    );
    writeLines(toVerdictLines(state));
    return 0;
  });
}

/** From its first event on, whoever drives it, until it ends or Ctrl-C; `startedAt` is null for JSON. */
function followRun(engine: Engine, runId: RunId, startedAt: number | null): Promise<number> {
  return untilStopped(async (signal) => {
    let seq = 0;
    for await (const events of engine.watchEvents(runId, seq, signal)) {
      if (startedAt === null) writeLines(events.map((event) => JSON.stringify(event)));
      else writeLines((await engine.readTrace(runId, seq, events.length)).map((row) => toLine(row, startedAt)));
      seq = events.at(-1)?.seq ?? seq;
      if (events.findLast(({ type }) => turns.has(type))?.type === 'run-finish') break;
    }
    if (startedAt !== null) writeLines(toVerdictLines(await engine.readRun(runId)));
  });
}

/** Between which of these two a run stands tells whether it is over. */
const turns: ReadonlySet<JournalEvent['type']> = new Set(['run-resume', 'run-finish']);

async function writePages<Row extends { readonly seq: number }>(
  read: (afterSeq: number) => Promise<Row[]>,
  format: (row: Row) => string,
): Promise<void> {
  for (let seq = 0; ; ) {
    const page = await read(seq);
    writeLines(page.map((row) => format(row)));
    if (page.length < pageSize) return;
    seq = page.at(-1)?.seq ?? seq;
  }
}

function toLine({ seq, at, agentId, step, type, summary }: TraceRow, startedAt: number): string {
  const who = agentId === rootAgentId ? '' : `${agentId}: `;
  const seconds = ((at - startedAt) / 1000).toFixed(2).padStart(8);
  return `${String(seq).padStart(5)} ${seconds}s  step ${String(step).padStart(3)}  ${type.padEnd(17)} ${toVisible(`${who}${summary}`)}`;
}
