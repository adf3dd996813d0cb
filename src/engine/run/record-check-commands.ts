// Journals the commands of one check as those of calls are, numbered in their order.
import type { EventPlace } from '../../shared/event.ts';
import type { CommandWatch } from '../check/check.ts';
import type { CallPorts } from './driver-ports.ts';
import { recordSandboxCreated, recordSandboxEnded } from './record-sandbox-events.ts';

type Recording = Pick<CallPorts, 'recorder' | 'redactor'>;

/**
 * The start of each is durable before it begins: of a check that a crash cuts off, the journal says how far it came. Where no
 * command may run nothing is created, and the end alone says why.
 */
export function recordCheckCommands({ recorder, redactor }: Recording, place: EventPlace): CommandWatch {
  let commands = 0;
  return async ({ program, isolation }) => {
    commands += 1;
    const owner = { check: commands };
    if (isolation !== null) {
      const named = redactor.redact(program.toWellFormed()).text;
      recordSandboxCreated({ recorder }, place, owner, { program: named, isolation, network: false });
    }
    await recorder.commit();
    return (ran) => recordSandboxEnded({ recorder }, place, owner, ran);
  };
}
