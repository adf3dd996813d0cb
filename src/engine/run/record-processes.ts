// Journals how the processes of a run ended and what they left, once for each. They end whenever they like; the driver tells
// of it where nothing else of it is under way.
import type { DriverEventBody, EventPlace } from '../../shared/event.ts';
import type { LeftWorkspace } from '../guard/guard.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { RunningProcess } from '../tool/process/processes.ts';
import type { CallPorts } from './driver-ports.ts';

type Recording = Pick<CallPorts, 'processes' | 'recorder' | 'redactor'>;

/** Durable when it resolves. */
export async function recordProcesses({ processes, recorder, redactor }: Recording, place: EventPlace): Promise<void> {
  const mask = (text: string): string => redactor.redact(text.toWellFormed()).text;
  const events = processes.takeEnded().flatMap((process) => toExit(process, mask));
  for (const event of events) recorder.emit(place, event);
  if (events.length > 0) await recorder.commit();
}

/** None for one that was never let run. */
function toExit({ id, end }: RunningProcess, mask: (text: string) => string): DriverEventBody[] {
  if (end?.kind !== 'ran' || end.result.kind === 'not-started') return [];
  const left = end.workspace ?? untouched;
  const { masked, checkedAfter, uncovered } = left.policyEnforcement;
  return [
    {
      type: 'process-exit',
      process: id,
      ...toEnd(end.result),
      access: left.access,
      policyEnforcement: { masked, checkedAfter, uncovered: uncovered.map(mask) },
      changes: left.changes.map(({ because, path, ...change }) => ({
        ...change,
        path: mask(path),
        ...(because === null ? {} : { because: mask(because) }),
      })),
      untold: left.untold,
      ...(left.shelf === null ? {} : { shelf: left.shelf }),
    },
  ];
}

function toEnd(result: Exclude<SandboxResult, { kind: 'not-started' }>) {
  return {
    end: result.kind,
    ...(result.kind === 'exit' ? { code: result.code } : {}),
    ...(result.kind === 'signal' ? { signal: result.signal } : {}),
    durationMs: Math.round(result.durationMs),
  };
}

const untouched: LeftWorkspace = {
  access: 'read',
  because: null,
  policyEnforcement: { masked: 0, checkedAfter: 0, uncovered: [] },
  changes: [],
  untold: 0,
  shelf: null,
};
