// What the model will be shown next: items are added, and old results give way to pointers.
import { type ContextItem, givesWay, pointerBytes } from './context-item.ts';
import type { EventOf } from './event.ts';
import { headItems, isLeftOut, type LeftOut, nothingLeftOut, toLeftOutNote } from './left-out.ts';
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

export type ShownContext = Pick<AgentState, 'context' | 'compactedBefore' | 'leftOut'>;

/** The bytes of what is shown of a context. */
export function measureContext({ context, compactedBefore, leftOut }: ShownContext): number {
  const note = leftOut.turns === 0 ? 0 : toLeftOutNote(leftOut).length;
  return context.reduce((bytes, item, place) => {
    if (isLeftOut(place, leftOut)) return bytes;
    return bytes + measureItem(item, place < compactedBefore);
  }, note);
}

/** `isOld`: where it is a result, a pointer stands for it if that is shorter. */
export function measureItem(item: ContextItem, isOld: boolean): number {
  if (item.role !== 'result') return item.blob.bytes;
  return item.callId.length + (isOld && givesWay(item) ? pointerBytes(item) : item.blob.bytes);
}

/** What is left out up to this place: `before` counts with its first two items. */
export function leaveOut(context: readonly ContextItem[], before: number): LeftOut {
  const turns = context.slice(headItems, before).filter(({ role }) => role === 'assistant').length;
  return turns === 0 ? nothingLeftOut : { before, turns };
}

export function compactContext(agent: AgentState, { before, leftOut }: EventOf<'context-compact'>): void {
  for (let place = agent.compactedBefore; place < before; place++) {
    const item = agent.context[place];
    if (item?.role === 'result' && givesWay(item)) agent.contextBytes += pointerBytes(item) - item.blob.bytes;
  }
  agent.compactedBefore = before;
  agent.counted = null;
  if (leftOut === undefined) return;
  agent.leftOut = leaveOut(agent.context, leftOut);
  agent.contextBytes = measureContext(agent);
}
