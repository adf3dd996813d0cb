// The result of a run as its host gets it: outcome, exit code, evidence and spend, all read from the folded state.
import { rootAgentId } from '../../shared/id.ts';
import { type RunOutcome, toExitCode } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { DeniedCall, RunResult, UsageReport } from './engine.ts';

export function toResult(state: RunState, outcome: RunOutcome, reader: ResultReader): RunResult {
  return {
    runId: state.runId,
    outcome,
    exitCode: toExitCode(outcome),
    evidence: toEvidence(state, reader),
    usage: toUsageReport(state),
    denied: state.denied.flatMap((seq) => readDenied(state, seq, reader)),
  };
}

type ResultReader = Pick<JournalReader, 'readBlob' | 'readEvents'>;

function readDenied({ runId }: RunState, seq: number, reader: ResultReader): DeniedCall[] {
  const [event] = reader.readEvents(runId, seq - 1, 1);
  if (event?.type !== 'call-finish') return [];
  const { step, call, tool, target, result } = event;
  const because = event.because ?? new TextDecoder().decode(reader.readBlob(result.hash));
  return [{ step, call, tool, target, because }];
}

function toEvidence({ lastCheck }: RunState, reader: Pick<JournalReader, 'readBlob'>): RunResult['evidence'] {
  if (lastCheck === null) return null;
  const { result, summary, evidence } = lastCheck;
  return { result, summary, text: new TextDecoder().decode(reader.readBlob(evidence.hash)) };
}

/** What the run has spent so far. */
export function toUsageReport({ ledger, agents, activeMs }: RunState): UsageReport {
  const { settled, costUsd, unknown } = ledger;
  return { ...settled, costUsd, unknown, steps: agents[rootAgentId]?.step ?? 0, activeMs };
}
