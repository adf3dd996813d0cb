// How many spawned agents are at work at once, in the whole tree. Whoever waits for a place gets it in turn; whoever waits
// for something else gives it back.
import type { AgentId } from '../../../shared/id.ts';

export interface Slots {
  /** Whether the agent has a place now; else it stands in the queue, once. */
  take(agentId: AgentId): boolean;
  /** Gives the place back, or leaves the queue. Those that were given one instead can go on. */
  leave(agentId: AgentId): readonly AgentId[];
}

export function createSlots(count: number): Slots {
  const holding = new Set<AgentId>();
  const queue = new Set<AgentId>();
  const admit = (): AgentId[] => {
    const admitted: AgentId[] = [];
    for (const agentId of queue) {
      if (holding.size >= count) break;
      queue.delete(agentId);
      holding.add(agentId);
      admitted.push(agentId);
    }
    return admitted;
  };
  return {
    take(agentId) {
      if (!holding.has(agentId)) queue.add(agentId);
      admit();
      return holding.has(agentId);
    },
    leave(agentId) {
      holding.delete(agentId);
      queue.delete(agentId);
      return admit();
    },
  };
}
