// What comes after a command: the changes it left are judged path by path. What is denied is dropped and told; the rest is
// made durable, as a call that now wants these changes.
import type { Origin } from '../../shared/blob-ref.ts';
import type { EventPlace } from '../../shared/event.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Leavings, LostChange, WorkspaceChange } from '../sandbox/sandbox.ts';
import type { CommandDone } from '../tool/tool.ts';
import type { CallPorts } from './driver-ports.ts';
import { type CallEnd, finishCall } from './finish-call.ts';
import { findStrictest, recordVerdicts } from './judge-call.ts';
import { packChanges } from './pack-changes.ts';
import { recordSandboxEnded } from './record-sandbox-events.ts';
import { toPathText } from './to-path-text.ts';

export interface EndedCommand {
  /** The call without what came of it. */
  readonly end: Pick<CallEnd, 'call' | 'tool' | 'target'>;
  readonly done: CommandDone;
  readonly durationMs: number;
}

/** Finishes the call, or stages the changes that may be made. */
export async function endCommand(ports: CallPorts, place: EventPlace, ended: EndedCommand): Promise<void> {
  const { end, done, durationMs } = ended;
  const { result, leavings, ran } = done;
  if (ran !== null) recordSandboxEnded(ports, place, { call: end.call }, ran);
  const { kept, lost } = await siftLeavings(ports, place, end.call, leavings);
  const text = [result.text, ...toLossLines(lost)].join('\n');
  if (kept.length === 0) {
    finishCall(ports, place, { ...end, ...result, text, durationMs });
    return;
  }
  stageChanges(ports, place, end.call, { kept, result: { ...result, text }, durationMs, origin: 'command' });
  await ports.recorder.commit();
}

export interface StagedChanges {
  readonly kept: readonly WorkspaceChange[];
  /** What the call came to without them. */
  readonly result: { readonly status: 'ok' | 'failed'; readonly text: string };
  readonly durationMs: number;
  /** Of whose words the result is made. */
  readonly origin: Origin;
}

export function stageChanges(
  { recorder, redactor }: CallPorts,
  place: EventPlace,
  call: number,
  { kept, result, durationMs, origin }: StagedChanges,
): void {
  const changes = createBlob(packChanges(kept), { origin: 'command', redactor, original: 'seal' });
  const masked = redactor.redact(result.text.toWellFormed());
  const told = createBlob(masked.text, { origin });
  recorder.emit(
    place,
    {
      type: 'call-stage',
      call,
      changes: changes.ref,
      // Masked once, it shows no more that there was something to mask.
      result: masked.found > 0 ? { ...told.ref, sensitive: true } : told.ref,
      status: result.status,
      durationMs: Math.round(durationMs),
    },
    [changes, told],
  );
}

interface Sifted {
  readonly kept: readonly WorkspaceChange[];
  readonly lost: readonly Pick<LostChange, 'path' | 'reason'>[];
}

/** The changes that may be made, if need be with a yes. Each that may not is journaled with its verdict. */
export async function siftLeavings(
  ports: CallPorts,
  place: EventPlace,
  call: number,
  leavings: Leavings,
): Promise<Sifted> {
  switch (leavings.kind) {
    case 'nothing':
    case 'files':
      return { kept: [], lost: [] };
    case 'too-much':
      return { kept: [], lost: [{ path: 'anything', reason: leavings.reason }] };
    case 'changes': {
      const denied = await dropDenied(ports, place, call, leavings.changes);
      const kept = leavings.changes.filter(({ path }) => !denied.has(path));
      const reasons = [...denied].map(([path, reason]) => ({ path, reason }));
      return { kept, lost: [...leavings.lost, ...reasons] };
    }
  }
}

/** The paths that may not be changed, and why; each is journaled with its verdict. */
async function dropDenied(
  ports: CallPorts,
  place: EventPlace,
  call: number,
  changes: readonly WorkspaceChange[],
): Promise<Map<string, string>> {
  const { guard, stanceOf, recorder } = ports;
  const stance = stanceOf(recorder.state, place.agentId);
  const denied = new Map<string, string>();
  for (const path of new Set(changes.map((change) => change.path))) {
    const acts = await guard.judge({ kind: 'write', target: path }, stance);
    const strictest = findStrictest(acts);
    if (strictest?.verdict.effect !== 'deny') continue;
    denied.set(path, strictest.verdict.because);
    recordVerdicts(ports, place, call, [strictest], { isDropped: true });
  }
  return denied;
}

const maxLines = 50;

export function toLossLines(lost: Sifted['lost']): string[] {
  if (lost.length === 0) return [];
  const lines = lost.slice(0, maxLines).map(({ path, reason }) => `- ${toPathText(path)}: ${reason}`);
  const more = lost.length - lines.length;
  return ['Not taken over into the workspace:', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}
