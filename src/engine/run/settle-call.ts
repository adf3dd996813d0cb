// What became of a change that a crash interrupted: the file itself tells. Made: finished as if nothing had happened. Not
// made: judged and made now. Neither: nobody can know, which is settled by a person or told to the model.
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { CallStage } from '../../shared/run-state.ts';
import type { Action } from './action.ts';
import type { DriverPorts } from './driver-ports.ts';
import { type CallEnd, finishCall } from './finish-call.ts';
import { judgeCall } from './judge-call.ts';
import { type ReadyCall, readCall } from './proposed-call.ts';
import { leaveUnsettled, settleUnsettled } from './settle-unsettled.ts';
import { readStaged } from './staged-call.ts';

type Interrupted = Extract<CallStage, { kind: 'interrupted' }>;

export async function settleCall(ports: DriverPorts, action: Extract<Action, { kind: 'settle' }>): Promise<void> {
  const { recorder, reader, guard } = ports;
  const agent = agentOf(recorder.state, action);
  const place: EventPlace = { agentId: agent.agentId, step: agent.step };
  const { stage, staged } = callOf(agent, action.call);
  if (stage.kind === 'unsettled') return settleUnsettled(ports, place, { call: action.call, stage });
  if (stage.kind !== 'interrupted') return;
  // What was made of it counts as made when it is made again.
  if (staged !== null) {
    await guard.tidy(readStaged(reader, staged).changes.map(({ path }) => path));
    return judgeCall(ports, action);
  }
  const ready = readCall(ports, place, action.call);
  if (stage.change === null) return leaveUnsettled(ports, place, ready, ready.target);
  const { path, before, after } = stage.change;
  const hash = await guard.hash(path);
  if (hash === (after?.hash ?? null)) return finishCall(ports, place, toMadeEnd(ports, ready, stage));
  if (hash === (before?.hash ?? null)) return judgeCall(ports, action);
  leaveUnsettled(ports, place, ready, path);
}

function toMadeEnd({ reader }: DriverPorts, ready: ReadyCall, { change, result }: Interrupted): CallEnd {
  const text = result === null ? 'Done.' : new TextDecoder().decode(reader.readBlob(result.hash));
  const seen = change?.after ? [{ path: change.path, hash: change.after.hash }] : [];
  const { call, tool, target } = ready;
  return { call, tool: tool.name, target, status: 'ok', text, origin: result?.origin ?? 'engine', seen, changed: true };
}
