import type { Engine, RunResult } from '../engine/index.ts';
import { toVerdictLines } from './verdict-lines.ts';

/**
 * Says on standard error how a run ended that did not succeed: whoever reads the log of a script should not have to parse
 * its output. Does not fail, not even when the journal cannot be read any more: the result has been told already.
 */
export async function writeVerdict(engine: Engine, { runId, outcome, denied }: RunResult): Promise<void> {
  const state = await engine.readRun(runId).catch(() => null);
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
  const lines = state === null ? [`STORE FAILED  ${reason}`] : toVerdictLines({ ...state, outcome }, denied).slice(1);
  process.stderr.write(`io-studio: ${lines.join('\n')}\n`);
}
