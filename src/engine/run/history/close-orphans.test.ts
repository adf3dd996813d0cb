import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../test/support/create-random.ts';
import { findPairingFaults } from '../../../../test/support/find-pairing-faults.ts';
import { simulateRun } from '../../../../test/support/simulate-run.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import type { ContextMessage } from '../../../shared/message.ts';
import { closeOrphans, interrupted } from './close-orphans.ts';

const anyJournal = fc
  .record({ seed: fc.integer(), crashChance: fc.constantFrom(0, 0.05, 0.3) })
  .map(
    ({ seed, crashChance }) => simulateRun({ random: createRandom(seed), crashChance, budgets: { steps: 20 } }).events,
  );

const ask: ContextMessage = { role: 'user', text: 'Do it.' };
const reply = (...ids: string[]): ContextMessage => ({
  role: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, tool: 'read_file', arguments: '{}' })),
});
const result = (callId: string, text = 'done'): ContextMessage => ({ role: 'result', callId, text });

describe('a history', () => {
  it('of any journal, cut at any event, is one that a strict provider accepts', () => {
    fc.assert(
      fc.property(anyJournal, fc.double({ min: 0, max: 1, noNaN: true }), (events, place) => {
        const cut = events.slice(0, 1 + Math.floor(place * (events.length - 1)));
        expect(findFaults(closeOrphans(toMessages(cut)))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('with any of its messages lost is one that a strict provider accepts', () => {
    fc.assert(
      fc.property(anyJournal, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (events, chances) => {
        const left = toMessages(events).filter(() => (chances.next().value ?? 1) > 0.2);
        expect(findFaults(closeOrphans(left))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('that is whole comes back as it is, object by object', () => {
    fc.assert(
      fc.property(anyJournal, (events) => {
        const last = events.findLastIndex(({ type }) => type === 'model-start');
        const whole = toMessages(events.slice(0, Math.max(last, 1)));
        const closed = closeOrphans(whole);
        expect(closed.length).toBe(whole.length);
        expect(closed.every((message, place) => message === whole[place])).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('that ends in a call has it answered as interrupted (aaif-goose/goose#2951)', () => {
    expect(closeOrphans([ask, reply('a', 'b'), result('b')])).toEqual([
      ask,
      reply('a', 'b'),
      result('a', interrupted),
      result('b'),
    ]);
  });

  it('with an orphan in its middle is repaired there (github/copilot-cli#3183)', () => {
    const later = [ask, reply('b'), result('b')];
    expect(closeOrphans([ask, reply('a'), ...later])).toEqual([ask, reply('a'), result('a', interrupted), ...later]);
  });

  it('leaves out results that nobody asked for, also a second one to one call', () => {
    expect(closeOrphans([result('x'), ask, reply('a'), result('a'), result('a', 'again'), result('y')])).toEqual([
      ask,
      reply('a'),
      result('a'),
    ]);
  });

  it('gives calls of one id each their own result', () => {
    const messages = [ask, reply('same', 'same'), result('same', 'first'), result('same', 'second')];
    expect(closeOrphans(messages)).toEqual(messages);
  });
});

/** What the state of the run would have sent, were it asked to in this very moment. */
function toMessages(events: readonly JournalEvent[]): ContextMessage[] {
  const calls = new Map(
    events.flatMap((event) => (event.type === 'model-finish' ? [[event.message.hash, event.calls] as const] : [])),
  );
  return Object.values(foldRun(null, events)?.agents ?? {}).flatMap(({ context }) =>
    context.map((item): ContextMessage => {
      if (item.role === 'result') return { role: 'result', callId: item.callId, text: item.blob.hash };
      if (item.role !== 'assistant') return { role: item.role, text: item.blob.hash };
      const own = calls.get(item.blob.hash) ?? [];
      return { role: 'assistant', text: '', calls: own.map(({ id, tool }) => ({ id, tool, arguments: '{}' })) };
    }),
  );
}

const findFaults = (messages: readonly ContextMessage[]): string[] =>
  findPairingFaults(
    messages.map((message) => {
      if (message.role === 'result') return { role: 'tool', tool_call_id: message.callId };
      return message.role === 'assistant' ? { role: 'assistant', tool_calls: message.calls } : { role: message.role };
    }),
  );
