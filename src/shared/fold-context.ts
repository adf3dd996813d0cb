// What the model will be shown next: items are added, and old results give way to pointers.
import { type ContextItem, givesWay, pointerBytes } from './context-item.ts';
import type { AgentState } from './run-state.ts';

/** Results stand in call order behind their reply, whichever was ready first: a provider is shown no other order. */
export function addToContext(agent: AgentState, item: ContextItem): void {
  const { context } = agent;
  let place = context.length;
  if (item.role === 'result') {
    for (let before = context[place - 1]; before !== undefined; before = context[place - 1]) {
      if (before.role === 'assistant' || (before.role === 'result' && before.call < item.call)) break;
      place -= 1;
    }
  }
  context.splice(place, 0, item);
  const bytes = item.blob.bytes + (item.role === 'result' ? item.callId.length : 0);
  agent.contextBytes += bytes;
  if (agent.counted !== null) {
    agent.counted.bytesSince += bytes;
    agent.counted.itemsSince += 1;
  }
}

/** The bytes of a context whose results before `compactedBefore` have given way. */
export function measureContext(context: readonly ContextItem[], compactedBefore: number): number {
  return context.reduce((bytes, item, place) => {
    if (item.role !== 'result') return bytes + item.blob.bytes;
    const isPointer = place < compactedBefore && givesWay(item);
    return bytes + item.callId.length + (isPointer ? pointerBytes(item) : item.blob.bytes);
  }, 0);
}

export function compactContext(agent: AgentState, before: number): void {
  for (let place = agent.compactedBefore; place < before; place++) {
    const item = agent.context[place];
    if (item?.role === 'result' && givesWay(item)) agent.contextBytes += pointerBytes(item) - item.blob.bytes;
  }
  agent.compactedBefore = before;
  agent.counted = null;
}
