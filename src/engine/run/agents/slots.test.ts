import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentId } from '../../../shared/id.ts';
import { createSlots } from './slots.ts';

const toAgent = (name: string): AgentId => AgentId.parse(name);
const [a, b, c, d] = [toAgent('root/1.0'), toAgent('root/1.1'), toAgent('root/1.2'), toAgent('root/1.3')];

describe('slots', () => {
  it('are given to as many as there are, and to the next in the queue as soon as one is given back', () => {
    const slots = createSlots(2);
    expect([a, b, c, d].map((agent) => slots.take(agent))).toEqual([true, true, false, false]);
    expect([slots.leave(b), slots.leave(a)]).toEqual([[c], [d]]);
    expect([c, d].map((agent) => slots.take(agent))).toEqual([true, true]);
  });

  it('are kept by whoever asks again, who stands in the queue once', () => {
    const slots = createSlots(1);
    expect([slots.take(a), slots.take(a), slots.take(b), slots.take(b)]).toEqual([true, true, false, false]);
    expect([slots.leave(a), slots.leave(b), slots.leave(b)]).toEqual([[b], [], []]);
  });

  it('are not given to one that has left the queue', () => {
    const slots = createSlots(1);
    for (const agent of [a, b, c]) slots.take(agent);
    expect([slots.leave(b), slots.leave(a)]).toEqual([[], [c]]);
  });

  it('let nobody pass who comes later than those that wait', () => {
    const slots = createSlots(1);
    for (const agent of [a, b]) slots.take(agent);
    slots.leave(a);
    expect([slots.take(a), slots.take(b)]).toEqual([false, true]);
  });

  it('are never held by more than there are, nor left free while somebody waits', () => {
    const anyMove = fc.record({ agent: fc.constantFrom(a, b, c, d), kind: fc.constantFrom('take', 'leave') });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(anyMove, { maxLength: 60 }), (count, moves) => {
        const slots = createSlots(count);
        const model: Model = { holding: new Set(), waiting: [] };
        for (const { agent, kind } of moves) {
          const admitted = kind === 'take' ? take(model, count, agent) : leave(model, count, agent);
          if (kind === 'take') expect(slots.take(agent)).toBe(model.holding.has(agent));
          else expect(slots.leave(agent)).toEqual(admitted);
        }
      }),
    );
  });
});

interface Model {
  readonly holding: Set<AgentId>;
  waiting: AgentId[];
}

function take(model: Model, count: number, agent: AgentId): AgentId[] {
  if (!model.holding.has(agent) && !model.waiting.includes(agent)) model.waiting.push(agent);
  return admit(model, count);
}

function leave(model: Model, count: number, agent: AgentId): AgentId[] {
  model.holding.delete(agent);
  model.waiting = model.waiting.filter((other) => other !== agent);
  return admit(model, count);
}

function admit({ holding, waiting }: Model, count: number): AgentId[] {
  const admitted = waiting.splice(0, Math.max(0, count - holding.size));
  for (const agent of admitted) holding.add(agent);
  return admitted;
}
