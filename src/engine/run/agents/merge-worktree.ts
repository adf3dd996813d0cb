// What becomes of the worktree of an agent that has ended. What a done one has changed is staged as what its call has left:
// judged, asked about and made in the workspace of whoever waits for it like the changes of a command. When all of it is made
// the worktree goes; else it stays, and is named.
import type { AgentWorktree } from '../../../shared/agent-worktree.ts';
import { isEngineError } from '../../../shared/engine-error.ts';
import type { EventPlace } from '../../../shared/event.ts';
import { findAgent } from '../../../shared/find-in-run.ts';
import { type AgentId, toChildId } from '../../../shared/id.ts';
import type { RunOutcome } from '../../../shared/outcome.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { Leavings } from '../../sandbox/sandbox.ts';
import type { CallPorts } from '../driver-ports.ts';
import { siftLeavings, stageChanges, toLossLines } from '../end-command.ts';
import { type CallEnd, finishCall } from '../finish-call.ts';

export interface Mergeable {
  readonly agentId: AgentId;
  readonly worktree: AgentWorktree;
}

/** The agent that a call has spawned apart, when it has ended with its task done. */
export function findMergeable(state: RunState, { agentId, step }: EventPlace, call: number): Mergeable | null {
  const child = findAgent(state, toChildId(agentId, step, call));
  const worktree = child?.assignment?.worktree ?? null;
  const outcome = child?.ended?.outcome ?? null;
  if (child === undefined || worktree === null || outcome === null || !isDone(outcome)) return null;
  return { agentId: child.agentId, worktree };
}

export const isDone = ({ kind }: RunOutcome): boolean => kind === 'met' || kind === 'finished';

/** `end`: what the call is told of the end of the agent. */
export async function mergeWorktree(
  ports: CallPorts,
  place: EventPlace,
  end: CallEnd,
  { worktree }: Mergeable,
): Promise<void> {
  const { kept, lost } = await siftLeavings(ports, place, end.call, await readChanges(ports, worktree));
  const status = lost.length === 0 ? 'ok' : 'failed';
  const text = [end.text, ...toLossLines(lost)].join('\n');
  if (kept.length > 0) {
    stageChanges(ports, place, end.call, { kept, result: { status, text }, durationMs: 0, origin: 'agent' });
    await ports.recorder.commit(); // It is judged by what stands in the journal.
    return;
  }
  const settled = await settleWorktree(ports, place, end.call, { status, text });
  finishCall(ports, place, { ...end, ...settled, agents: end.agents ?? [] });
}

async function readChanges({ worktrees }: CallPorts, worktree: AgentWorktree): Promise<Leavings> {
  try {
    if (worktrees !== null) return await worktrees.readChanges(worktree);
  } catch (error) {
    if (!isEngineError(error) && !isSystemError(error)) throw error;
  }
  return { kind: 'too-much', reason: `its worktree ${worktree.path} cannot be read any more` };
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

type Told = Pick<CallEnd, 'text' | 'status'>;

/** For a call that is at its end: what it tells of the worktree, and the agent that it tells of. */
export async function settleWorktree(
  { recorder, worktrees, stanceOf }: CallPorts,
  place: EventPlace,
  call: number,
  { text, status }: Told,
): Promise<Told & Pick<CallEnd, 'agents'>> {
  const merged = findMergeable(recorder.state, place, call);
  if (merged === null) return { text, status };
  const { agentId, worktree } = merged;
  const agents = [agentId];
  if (status !== 'ok') return { text: `${text}\n${toKeptLine(worktree)}`, status, agents };
  const left = (await worktrees?.remove(worktree, stanceOf(recorder.state, place.agentId))) ?? null;
  return { text: left === null ? text : `${text}\nOf its worktree something is left: ${left}.`, status, agents };
}

export const toKeptLine = ({ path, branch }: AgentWorktree): string =>
  `Its worktree is kept as it is: ${path} (branch ${branch}).`;
