// Carrying out calls whose verdicts are in: a last look, the intent made durable, the act, and what came of it.
import { cancelledBy } from '../../shared/agent-tree.ts';
import type { EventPlace, RecoveryClass } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { NewBlob } from '../journal/journal.ts';
import type { PreparedCall } from '../tool/tool.ts';
import type { Action } from './action.ts';
import { type AgentCall, isAgentCall } from './agents/agent-call.ts';
import { beginAgentCall } from './agents/begin-agent-call.ts';
import { settleWorktree } from './agents/merge-worktree.ts';
import { spawnApart } from './agents/spawn-apart.ts';
import { applyChanges } from './apply-changes.ts';
import { type ClearedCall, clearCall } from './clear-call.ts';
import type { CallPorts } from './driver-ports.ts';
import { type EndedCommand, endCommand } from './end-command.ts';
import { type CallEnd, finishCall } from './finish-call.ts';
import { makeEdit } from './make-edit.ts';
import { isRisky } from './plan-calls.ts';
import { recordSandboxCreated } from './record-sandbox-events.ts';
import { toFileHistory } from './to-file-history.ts';

type Start = Extract<Action, { kind: 'start' }>;
type Change = Extract<PreparedCall, { kind: 'change' }>;

/** Starts the calls of one action: several reads side by side, or one other call. */
export async function startCalls(ports: CallPorts, { agentId, calls }: Start, signal: AbortSignal): Promise<void> {
  const { recorder } = ports;
  const place: EventPlace = { agentId, step: agentOf(recorder.state, { agentId }).step };
  const looked = await Promise.all(calls.map((call) => clearCall(ports, place, call, signal)));
  const cleared = looked.filter((call) => call !== null);
  for (const call of cleared) {
    if (isAgentCall(call.plan)) begin(ports, place, call, call.plan);
    else announce(ports, place, call);
  }
  if (cleared.some(isStarted)) await recorder.commit();
  const withdrawn = cancelledBy(recorder.state, agentOf(recorder.state, place)) !== null;
  passCrashPoint('before-act');
  for (const { ready, plan } of cleared) {
    if (plan.kind === 'spawn' && plan.isApart && !withdrawn)
      await spawnApart(ports, place, { ready, wish: plan }, signal);
  }
  const own = cleared.filter(({ plan }) => !isAgentCall(plan));
  const ends = await Promise.all(own.map((call) => carryOut(ports, place, call, { withdrawn, signal })));
  passCrashPoint('after-act');
  const isLeaving = signal.aborted && signal.reason !== 'wallMs';
  for (const end of ends) {
    // What the end of this process cut off says nothing: left open, it is repeated by the next driver.
    if (isLeaving && end.isRepeatable) continue;
    if ('done' in end) await endCommand(ports, place, end);
    else finishCall(ports, place, end);
  }
}

/** A call that is answered without doing anything has no start. */
const isStarted = ({ plan }: ClearedCall): boolean => plan.kind !== 'answer';

function begin(ports: CallPorts, place: EventPlace, { ready, approval }: ClearedCall, plan: AgentCall): void {
  const risky = isRisky(callOf(agentOf(ports.recorder.state, place), ready.call));
  beginAgentCall(ports, place, { ready, plan, risky, approval });
}

type Ended = (CallEnd | EndedCommand) & { readonly isRepeatable: boolean };

/** The intent. An edit carries both images, so that after a crash the file itself tells whether it was made. */
function announce(ports: CallPorts, place: EventPlace, cleared: ClearedCall): void {
  const { recorder, redactor } = ports;
  const { plan, ready, approval } = cleared;
  if (!isStarted(cleared) || isAgentCall(plan)) return;
  const { call, tool } = ready;
  const risky = isRisky(callOf(agentOf(recorder.state, place), call));
  const consumed = approval === null ? {} : { approval };
  const event = { type: 'call-start', call, tool: tool.name, risky, ...consumed } as const;
  if (plan.kind !== 'change') {
    recorder.emit(place, { ...event, class: classify(ports, place, plan) });
    if (plan.kind === 'command') {
      const { isolation } = ports.stanceOf(recorder.state, place.agentId);
      recordSandboxCreated(ports, place, { call }, { isolation, network: plan.network ?? false });
    }
    return;
  }
  const before =
    plan.before === null ? null : createBlob(plan.before.bytes, { origin: 'repository', redactor, original: 'seal' });
  const after = createBlob(plan.after, { origin: 'model', redactor, original: 'seal' });
  const result = createBlob(plan.result.text, { origin: plan.result.origin, redactor });
  const change = { path: plan.path, before: before?.ref ?? null, after: after.ref };
  const blobs: NewBlob[] = before === null ? [after, result] : [before, after, result];
  recorder.emit(place, { ...event, class: 'compare', change, result: result.ref }, blobs);
}

/**
 * What a crash means for a call, by what it was permitted to do: an enclosed command without network has reached nothing but
 * its own scratch, unless it was given the workspace itself to write to.
 */
function classify({ recorder, stanceOf }: CallPorts, { agentId }: EventPlace, plan: StartedPlan): RecoveryClass {
  switch (plan.kind) {
    case 'request':
      return 'indeterminate';
    case 'command':
      return plan.network === true || plan.writes === true || stanceOf(recorder.state, agentId).isolation === 'none'
        ? 'indeterminate'
        : 'repeat';
    case 'apply':
      return 'compare';
    default:
      return 'repeat';
  }
}

type StartedPlan = Exclude<ClearedCall['plan'], Change | AgentCall>;

async function carryOut(
  ports: CallPorts,
  place: EventPlace,
  { ready, plan, approval }: ClearedCall,
  { withdrawn, signal }: { readonly withdrawn: boolean; readonly signal: AbortSignal },
): Promise<Ended> {
  const { clock, guard, recorder } = ports;
  const { call, tool, target } = ready;
  const end = { call, tool: tool.name, target, isRepeatable: plan.kind === 'look' };
  if (plan.kind === 'answer' || plan.kind === 'plan') return { ...end, ...plan.result };
  if (withdrawn) return { ...end, ...cancelled };
  const { posture } = recorder.state.settings;
  const permitted = approval !== null || posture === 'all' ? 'ask' : 'allow';
  const stance = ports.stanceOf(recorder.state, place.agentId);
  const startedMs = clock.activeMs();
  const spent = () => ({ durationMs: clock.activeMs() - startedMs });
  switch (plan.kind) {
    case 'command': {
      const done = await plan.run();
      const isRepeatable = done.isCutOff && classify(ports, place, plan) === 'repeat';
      return { end, done, ...spent(), isRepeatable };
    }
    case 'apply': {
      const { result, paths, isCutOff } = await applyChanges(guard, stance, plan, {
        ...{ tool, permitted, signal, isFirstTry: isFirstTry(ports, place, call) },
        history: toFileHistory(ports, place),
      });
      const durationMs = plan.commandMs + spent().durationMs;
      // Of a run that is over nobody would make the rest: what was made until then is told instead.
      const isRepeatable = isCutOff && signal.reason !== 'run-cancel';
      const told = isRepeatable ? result : await settleWorktree(ports, place, call, result);
      return { ...end, ...result, ...told, changed: paths.length > 0, paths, durationMs, isRepeatable };
    }
    case 'change': {
      const result = await makeEdit(ports, place, plan, permitted);
      return { ...end, ...result, changed: result.status === 'ok', ...spent() };
    }
    case 'look':
    case 'request':
      return { ...end, ...(await plan.run()), ...spent() };
    default:
      throw new RangeError(`A call of the kind ${plan.kind} is carried out by others`);
  }
}

function isFirstTry({ recorder }: CallPorts, place: EventPlace, call: number): boolean {
  return callOf(agentOf(recorder.state, place), call).staged?.starts === 1;
}

const cancelled = { status: 'interrupted', text: 'Not carried out: the run was cancelled.', origin: 'engine' } as const;
