// A call that was started, and of which nobody can know whether it took effect. Either the model is told so, or a person is
// asked: then nothing is done until they have decided, and what they decided is done once.
import { assertNever } from '../../shared/assert-never.ts';
import type { Origin } from '../../shared/blob-ref.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { CallStage, RecoveryAnswer } from '../../shared/run-state.ts';
import { toRecoveryPolicy } from '../../shared/to-recovery-policy.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { DriverPorts } from './driver-ports.ts';
import { finishCall } from './finish-call.ts';
import { judgeCall } from './judge-call.ts';
import { type ReadyCall, readCall } from './proposed-call.ts';
import { toMaskedArguments } from './request-details.ts';

/** `what`: the thing that was looked at and does not tell. */
export function leaveUnsettled(ports: DriverPorts, place: EventPlace, ready: ReadyCall, what: string): void {
  const { posture, recovery } = ports.recorder.state.settings;
  const because = `the engine was interrupted while it was under way, and ${what} does not tell whether it took effect`;
  if (toRecoveryPolicy(recovery, posture) === 'ask') raiseRecovery(ports, place, ready, because);
  else finishCall(ports, place, { ...describe(ready), ...toUnknownEnd(what) });
}

/** Does what was decided; tells the model where nobody is to be asked any more. */
export async function settleUnsettled(
  ports: DriverPorts,
  place: EventPlace,
  { call, stage }: { readonly call: number; readonly stage: Extract<CallStage, { kind: 'unsettled' }> },
): Promise<void> {
  const { answer, change } = stage;
  const ready = readCall(ports, place, call);
  if (answer === null) {
    finishCall(ports, place, { ...describe(ready), ...toUnknownEnd(change?.path ?? ready.target) });
  } else if (!ports.answers.isGenuine(answer.seq)) {
    raiseRecovery(ports, place, ready, `${stage.because}; an answer was not made with the credential of this home`);
  } else await carryOut(ports, place, ready, answer);
}

async function carryOut(
  ports: DriverPorts,
  place: EventPlace,
  ready: ReadyCall,
  { decision, actor, reason, result }: RecoveryAnswer,
): Promise<void> {
  const why = reason === null ? '' : ` ${reason}`;
  switch (decision) {
    case 'retry': // Judged anew: the approval of its first start is used up.
      return judgeCall(ports, { agentId: place.agentId, call: ready.call });
    case 'completed': {
      const text = result === null ? '' : new TextDecoder().decode(ports.reader.readBlob(result.hash));
      const told = `The engine was interrupted in this call. ${actor} says that it was carried out${why && `:${why}`}, and that this came of it:\n${text}`;
      const changed = ready.tool.kind !== 'read';
      return finishCall(ports, place, {
        ...describe(ready),
        status: 'ok',
        text: told,
        origin: toOrigin(ready),
        changed,
      });
    }
    case 'abort': {
      const text = `The engine was interrupted in this call, and ${actor} has decided that it is not carried out again.${why} Whether it took effect is not known.`;
      return finishCall(ports, place, { ...describe(ready), status: 'interrupted', text, origin: 'engine' });
    }
    default:
      return assertNever(decision);
  }
}

function raiseRecovery(ports: DriverPorts, place: EventPlace, ready: ReadyCall, because: string): void {
  const { recorder, redactor } = ports;
  const round = callOf(agentOf(recorder.state, place), ready.call).recoveries + 1;
  const masked = createBlob(toMaskedArguments(redactor, ready.arguments), { origin: 'model' });
  recorder.emit(
    place,
    {
      type: 'recovery-request',
      call: ready.call,
      request: `${recorder.state.runId}:${place.agentId}:${place.step}:${ready.call}:recovery${round === 1 ? '' : `:${round}`}`,
      tool: ready.tool.name,
      target: redactor.redact(ready.target).text,
      because: redactor.redact(because).text,
      ...(round === 1 ? {} : { round }),
      arguments: masked.ref,
    },
    [masked],
  );
}

/** What a person hands over was written by whoever the call spoke to. */
function toOrigin({ tool, arguments: parsed }: ReadyCall): Origin {
  const kinds = new Set(tool.acts(parsed).map(({ kind }) => kind));
  if (kinds.has('net')) return 'web';
  return kinds.has('exec') ? 'command' : 'person';
}

const describe = ({ call, tool, target }: ReadyCall) => ({ call, tool: tool.name, target });

const toUnknownEnd = (what: string) =>
  ({
    status: 'unknown',
    text: `The engine was interrupted while this call was under way, and whether it took effect cannot be told from what is there now (${what}). Look before you rely on it or repeat it.`,
    origin: 'engine',
  }) as const;
