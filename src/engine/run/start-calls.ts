// Carrying out calls whose verdicts are in: a last look, the intent made durable, the act, and what came of it.
import type { EventPlace, RecoveryClass } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { Guard } from '../guard/guard.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { NewBlob } from '../journal/journal.ts';
import type { Stance } from '../policy/policy.ts';
import type { PreparedCall, ToolResult } from '../tool/tool.ts';
import type { Action } from './action.ts';
import { applyChanges } from './apply-changes.ts';
import { type ClearedCall, clearCall } from './clear-call.ts';
import type { DriverPorts } from './driver-ports.ts';
import { type EndedCommand, endCommand } from './end-command.ts';
import { type CallEnd, finishCall } from './finish-call.ts';
import { isRisky } from './plan-calls.ts';
import { recordSandboxCreated } from './record-sandbox-events.ts';

type Start = Extract<Action, { kind: 'start' }>;
type Change = Extract<PreparedCall, { kind: 'change' }>;

/** Starts the calls of one action: several reads side by side, or one other call. */
export async function startCalls(ports: DriverPorts, { agentId, calls }: Start, signal: AbortSignal): Promise<void> {
  const { recorder } = ports;
  const place: EventPlace = { agentId, step: agentOf(recorder.state, { agentId }).step };
  const looked = await Promise.all(calls.map((call) => clearCall(ports, place, call, signal)));
  const cleared = looked.filter((call) => call !== null);
  for (const call of cleared) announce(ports, place, call);
  if (cleared.some(isStarted)) await recorder.commit();
  const withdrawn = recorder.state.wishes.cancelledBy !== null;
  passCrashPoint('before-act');
  const ends = await Promise.all(cleared.map((call) => carryOut(ports, place, call, { withdrawn, signal })));
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

type Ended = (CallEnd | EndedCommand) & { readonly isRepeatable: boolean };

/** The intent. An edit carries both images, so that after a crash the file itself tells whether it was made. */
function announce(ports: DriverPorts, place: EventPlace, cleared: ClearedCall): void {
  const { recorder, redactor } = ports;
  if (!isStarted(cleared)) return;
  const { plan, ready, approval } = cleared;
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
function classify({ recorder, stanceOf }: DriverPorts, { agentId }: EventPlace, plan: StartedPlan): RecoveryClass {
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

type StartedPlan = Exclude<ClearedCall['plan'], Change>;

async function carryOut(
  ports: DriverPorts,
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
      const { result, paths, isCutOff } = await applyChanges(guard, stance, plan, { tool, permitted, signal });
      const durationMs = plan.commandMs + spent().durationMs;
      // Of a run that is over nobody would make the rest: what was made until then is told instead.
      const isRepeatable = isCutOff && signal.reason !== 'run-cancel';
      return { ...end, ...result, changed: paths.length > 0, paths, durationMs, isRepeatable };
    }
    case 'change': {
      const result = await change(guard, stance, plan, permitted);
      return { ...end, ...result, changed: result.status === 'ok', ...spent() };
    }
    case 'look':
    case 'request':
      return { ...end, ...(await plan.run()), ...spent() };
  }
}

async function change(guard: Guard, stance: Stance, plan: Change, permitted: 'allow' | 'ask'): Promise<ToolResult> {
  const { path, before, after, result } = plan;
  const replaced = await guard.replace(path, { before: before?.hash ?? null, after, permitted }, stance);
  switch (replaced.kind) {
    case 'replaced':
      return result;
    case 'stale':
      return failed(`${path} was changed by someone else in this moment; nothing was written. Read it again first.`);
    case 'unpermitted':
      return failed(`Nothing was written: ${replaced.because}`);
    case 'unwritable':
      return failed(replaced.reason);
  }
}

const cancelled = { status: 'interrupted', text: 'Not carried out: the run was cancelled.', origin: 'engine' } as const;

const failed = (text: string): ToolResult => ({ status: 'failed', text, origin: 'engine', seen: [] });
