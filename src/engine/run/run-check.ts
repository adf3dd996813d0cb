import type { EventPlace } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Action } from './action.ts';
import type { CallPorts } from './driver-ports.ts';
import { findDeniedCheck } from './find-denied-check.ts';
import { recordCheckCommands } from './record-check-commands.ts';

/** Checks the contract and journals the answer with its evidence. An aborted check leaves no answer, only what it ran. */
export async function runCheck(
  ports: CallPorts,
  { agentId, trigger }: Extract<Action, { kind: 'check' }>,
  signal: AbortSignal,
): Promise<void> {
  const { recorder, redactor, clock, contract } = ports;
  const place: EventPlace = { agentId, step: agentOf(recorder.state, { agentId }).step };
  recorder.emit(place, { type: 'check-start', trigger });
  await recorder.commit();
  const startedMs = clock.activeMs();
  const watch = recordCheckCommands(ports, place);
  passCrashPoint('before-check');
  const report = (await findDeniedCheck(ports, agentId)) ?? (await ports.check(contract.verification, watch, signal));
  passCrashPoint('after-check');
  if (signal.aborted) return;
  const evidence = createBlob(report.evidence, { origin: 'command', redactor });
  recorder.emit(
    place,
    {
      type: 'check-finish',
      trigger,
      result: report.result,
      summary: redactor.redact(report.summary).text,
      evidence: evidence.ref,
      isolation: report.isolation,
      durationMs: clock.activeMs() - startedMs,
      activeMs: clock.activeMs(),
    },
    [evidence],
  );
  await recorder.commit();
}
