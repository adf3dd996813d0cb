// Which calls are not run again, so that what was recorded of them is taken. An effect that may have left the machine is never
// repeated, and of what was cut off nobody knows how far it came.
import type { EventOf } from '../../../../shared/event.ts';
import { processToolNames } from '../../../tool/create-tools.ts';
import { fetchUrl } from '../../../tool/fetch-url.ts';

export interface RecordedCall {
  readonly start: EventOf<'call-start'>;
  /** Its command was given a way to the network. */
  readonly network: boolean;
  /** How its command ended; null for a call without one. */
  readonly exit: EventOf<'sandbox-exit'> | null;
  readonly end: EventOf<'call-stage'> | EventOf<'call-finish'>;
}

/** Null for a call that can be run again. */
export function findWhyNotRun({ start, network, exit, end }: RecordedCall): string | null {
  if (processToolNames.has(start.tool)) return 'a process that goes on by itself says something else at each moment';
  if (start.class === 'indeterminate') {
    if (network || start.tool === fetchUrl.name) return 'it had a way to the network, and what leaves is not repeated';
    return 'nothing kept it from what lies around the workspace';
  }
  const isCutOff = exit?.end === 'cancelled' || (end.type === 'call-finish' && end.status === 'interrupted');
  return isCutOff ? 'it was cut off' : null;
}

/** Of a call that a crash has interrupted. */
export const wasInterrupted = 'it was interrupted, and nobody knows how far it came';
