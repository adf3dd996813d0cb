// What comes after a command: the changes it left are judged path by path. What is denied is dropped and told; the rest is
// made durable, as a call that now wants these changes.
import type { EventPlace } from '../../shared/event.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Leavings, LostChange, WorkspaceChange } from '../sandbox/sandbox.ts';
import type { CommandDone } from '../tool/tool.ts';
import type { DriverPorts } from './driver-ports.ts';
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
export async function endCommand(ports: DriverPorts, place: EventPlace, ended: EndedCommand): Promise<void> {
  const { recorder, redactor } = ports;
  const { end, done, durationMs } = ended;
  const { result, leavings, ran } = done;
  if (ran !== null) recordSandboxEnded(ports, place, { call: end.call }, ran);
  const { kept, lost } = await sift(ports, place, end.call, leavings);
  const text = [result.text, ...toLossLines(lost)].join('\n');
  if (kept.length === 0) {
    finishCall(ports, place, { ...end, ...result, text, durationMs });
    return;
  }
  const changes = createBlob(packChanges(kept), { origin: 'command', redactor, original: 'seal' });
  const masked = redactor.redact(text.toWellFormed());
  const told = createBlob(masked.text, { origin: 'command' });
  recorder.emit(
    place,
    {
      type: 'call-stage',
      call: end.call,
      changes: changes.ref,
      // Masked once, it shows no more that there was something to mask.
      result: masked.found > 0 ? { ...told.ref, sensitive: true } : told.ref,
      status: result.status,
      durationMs: Math.round(durationMs),
    },
    [changes, told],
  );
  await recorder.commit();
}

interface Sifted {
  readonly kept: readonly WorkspaceChange[];
  readonly lost: readonly Pick<LostChange, 'path' | 'reason'>[];
}

async function sift(ports: DriverPorts, place: EventPlace, call: number, leavings: Leavings): Promise<Sifted> {
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
  ports: DriverPorts,
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

function toLossLines(lost: Sifted['lost']): string[] {
  if (lost.length === 0) return [];
  const lines = lost.slice(0, maxLines).map(({ path, reason }) => `- ${toPathText(path)}: ${reason}`);
  const more = lost.length - lines.length;
  return ['Not taken over into the workspace:', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}
