// Brings an agent into being, all of it in one event. The call that asked for it is held, or goes on at once.
import type { EventPlace } from '../../../shared/event.ts';
import type { CallPorts } from '../driver-ports.ts';
import { finishCall } from '../finish-call.ts';
import type { ReadyCall } from '../proposed-call.ts';
import type { SpawnCall } from './agent-call.ts';
import { type SpawnSource, toSpawn } from './to-spawn.ts';

export function spawnAgent(
  ports: CallPorts & Pick<SpawnSource, 'worktree'>,
  place: EventPlace,
  { call, tool, target }: ReadyCall,
  wish: SpawnCall,
): void {
  const { recorder, clock, transcript } = ports;
  const { body, blobs } = toSpawn(ports, recorder.state, place, call, wish);
  recorder.emit(place, { ...body, activeMs: clock.activeMs() }, blobs);
  const prompt = blobs.find(({ ref }) => ref.hash === body.prompt.hash);
  if (prompt !== undefined) transcript.keepText(body.prompt, new TextDecoder().decode(prompt.readable));
  if (!wish.isDetached) return;
  const text = `${body.child} works on it. Wait for it with wait_agents.`;
  finishCall(ports, place, { call, tool: tool.name, target, status: 'ok', text, origin: 'engine' });
}
