// Waits until somebody says something about the run, from whichever process. No time-out: an unanswered question stays one.
// The wait costs no active time, and ends with the driver.
import type { DriverPorts } from './driver-ports.ts';

export async function awaitAnswer({ recorder, reader, clock }: DriverPorts, signal: AbortSignal): Promise<void> {
  await recorder.commit(); // Whoever is to answer finds the questions in the journal.
  using _rest = clock.rest();
  for await (const events of reader.watch(recorder.state.runId, recorder.durableSeq, signal)) {
    if (events.length > 0) return;
  }
}
