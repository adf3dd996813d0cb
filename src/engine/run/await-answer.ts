// Waits until somebody says something about the run, from whichever process. No time-out: an unanswered question stays one.
// The wait costs no active time, and ends with the driver.
import type { DriverPorts } from './driver-ports.ts';

export async function awaitAnswer({ recorder, reader, clock }: DriverPorts, signal: AbortSignal): Promise<void> {
  const { runId, seq } = recorder.state;
  await recorder.commit(); // Whoever is to answer finds the questions in the journal.
  // An answer that was quicker than this commit is folded in already: nothing else may ever come.
  if (recorder.state.seq !== seq) return;
  using _rest = clock.rest();
  for await (const events of reader.watch(runId, recorder.durableSeq, signal)) {
    if (events.length > 0) return;
  }
}
