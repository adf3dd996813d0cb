// Gives an agent that is to work apart its worktree, and then brings it into being. Its call has started; killed in between,
// it starts again, and what was made until then goes first.
import type { EventPlace } from '../../../shared/event.ts';
import { agentOf, callOf } from '../../../shared/find-in-run.ts';
import { toChildId } from '../../../shared/id.ts';
import type { CallPorts } from '../driver-ports.ts';
import { finishCall } from '../finish-call.ts';
import type { ReadyCall } from '../proposed-call.ts';
import type { SpawnCall } from './agent-call.ts';
import { findSpawnFault } from './find-spawn-fault.ts';
import { spawnAgent } from './spawn-agent.ts';

/** Does nothing for a call that was answered already. */
export async function spawnApart(
  ports: CallPorts,
  place: EventPlace,
  { ready, wish }: { readonly ready: ReadyCall; readonly wish: SpawnCall },
  signal: AbortSignal,
): Promise<void> {
  const { recorder, worktrees, stanceOf } = ports;
  const { call, tool, target } = ready;
  if (callOf(agentOf(recorder.state, place), call).stage.kind !== 'started') return;
  const fail = (text: string) =>
    finishCall(ports, place, { call, tool: tool.name, target, status: 'failed', text, origin: 'engine' });
  if (worktrees === null) return fail('No agent was spawned: no worktree can be made here.');
  const stance = stanceOf(recorder.state, place.agentId);
  const known = Object.values(recorder.state.agents).flatMap(({ assignment }) => assignment?.worktree ?? []);
  const made = await worktrees.make({
    ...{ child: toChildId(place.agentId, place.step, call), known, stance, signal },
  });
  if (signal.aborted && signal.reason !== 'wallMs') {
    // Left open, it starts again when the run is taken up.
    if (made.kind === 'made') await worktrees.remove(made.worktree, stance);
    return;
  }
  if (made.kind === 'refused') return fail(`No agent was spawned: ${made.reason}.`);
  const { worktree } = made;
  const offer = { tools: [...ports.tools.keys()], priceOf: ports.priceOf, contract: ports.contract };
  const fault = findSpawnFault(recorder.state, place, wish, offer);
  if (fault === null) return spawnAgent({ ...ports, worktree }, place, ready, wish);
  await worktrees.remove(worktree, stance); // Others came before it.
  fail(fault);
}
