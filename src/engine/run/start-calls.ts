// Carrying out calls whose verdicts are in: prepare, make the intent durable, do it, journal what came of it.
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { Guard } from '../guard/guard.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { NewBlob } from '../journal/journal.ts';
import type { PreparedCall, ToolResult } from '../tool/tool.ts';
import type { Action } from './action.ts';
import type { DriverPorts } from './driver-ports.ts';
import { type CallEnd, finishCall } from './finish-call.ts';
import { isRisky } from './plan-calls.ts';
import { type ReadyCall, readCall } from './proposed-call.ts';

type Start = Extract<Action, { kind: 'start' }>;
type Change = Extract<PreparedCall, { kind: 'change' }>;

/** Starts the calls of one action: several reads side by side, or one other call. */
export async function startCalls(ports: DriverPorts, { agentId, calls }: Start, signal: AbortSignal): Promise<void> {
  const { recorder } = ports;
  const place: EventPlace = { agentId, step: agentOf(recorder.state, { agentId }).step };
  const prepared = await Promise.all(calls.map((call) => prepare(ports, place, readCall(ports, place, call), signal)));
  for (const { ready, plan } of prepared) announce(ports, place, ready, plan);
  if (prepared.some(({ plan }) => plan.kind !== 'answer')) await recorder.commit();
  const withdrawn = recorder.state.wishes.cancelledBy !== null;
  const ends = await Promise.all(prepared.map(({ ready, plan }) => carryOut(ports, ready, plan, withdrawn)));
  // A read that the end of this process cut off says nothing about the file: left open, it is repeated by the next driver.
  const isLeaving = signal.aborted && signal.reason !== 'wallMs';
  for (const [index, end] of ends.entries()) {
    if (!isLeaving || prepared[index]?.plan.kind !== 'look') finishCall(ports, place, end);
  }
}

async function prepare(ports: DriverPorts, place: EventPlace, ready: ReadyCall, signal: AbortSignal) {
  const { files } = agentOf(ports.recorder.state, place);
  const lastSeen = (path: string) => (Object.hasOwn(files, path) ? files[path] : undefined); // A file may be named `constructor`.
  const context = { files: ports.guard.files, lastSeen, signal };
  const plan = await ready.tool.prepare(ready.arguments, context);
  return { ready, plan };
}

/** The intent. An edit carries both images, so that after a crash the file itself tells whether it was made. */
function announce({ recorder, redactor }: DriverPorts, place: EventPlace, ready: ReadyCall, plan: PreparedCall): void {
  if (plan.kind === 'answer') return;
  const { call, tool } = ready;
  const risky = isRisky(callOf(agentOf(recorder.state, place), call));
  const event = { type: 'call-start', call, tool: tool.name, risky } as const;
  if (plan.kind === 'look') {
    recorder.emit(place, { ...event, class: 'repeat' });
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

async function carryOut(
  { guard, clock }: DriverPorts,
  ready: ReadyCall,
  plan: PreparedCall,
  withdrawn: boolean,
): Promise<CallEnd> {
  const { call, tool, target } = ready;
  const end = { call, tool: tool.name, target };
  if (plan.kind === 'answer') return { ...end, ...plan.result };
  if (withdrawn) return { ...end, ...cancelled };
  const startedMs = clock.activeMs();
  const done = plan.kind === 'look' ? await plan.run() : await change(guard, plan);
  return {
    ...end,
    ...done,
    changed: plan.kind === 'change' && done.status === 'ok',
    durationMs: clock.activeMs() - startedMs,
  };
}

async function change(guard: Guard, { path, before, after, result }: Change): Promise<ToolResult> {
  const replaced = await guard.replace(path, before?.hash ?? null, after);
  switch (replaced.kind) {
    case 'replaced':
      return result;
    case 'stale':
      return failed(`${path} was changed by someone else in this moment; nothing was written. Read it again first.`);
    case 'unwritable':
      return failed(replaced.reason);
  }
}

const cancelled = { status: 'interrupted', text: 'Not carried out: the run was cancelled.', origin: 'engine' } as const;

const failed = (text: string): ToolResult => ({ status: 'failed', text, origin: 'engine', seen: [] });
