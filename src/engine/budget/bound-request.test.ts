import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeBlob, simulateRun } from '../../../test/support/simulate-run.ts';
import type { AgentState, RunSettings } from '../../shared/run-state.ts';
import { boundInputTokens, estimateInputTokens } from './bound-request.ts';

const { settings, agents } = simulateRun({ random: () => 0.5, maxEvents: 1 }).state;

/** A message as some tokenizer counts it: never more tokens than bytes, and a few for what wraps it. */
const anyMessage = fc
  .record({ bytes: fc.nat({ max: 50_000 }), density: fc.double({ min: 0, max: 1, noNaN: true }), wrap: fc.nat(16) })
  .map(({ bytes, density, wrap }) => ({ bytes, tokens: Math.ceil(bytes * density) + wrap }));

const anyTools = fc
  .record({ toolBytes: fc.nat({ max: 20_000 }), density: fc.double({ min: 0, max: 0.5, noNaN: true }) })
  .map(({ toolBytes, density }) => ({ toolBytes, tokens: Math.floor(toolBytes * density) }));

type Message = { readonly bytes: number; readonly tokens: number };

describe('boundInputTokens', () => {
  it('is never below what a tokenizer counts, before the first count and after any', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 30 }), anyTools, fc.nat(30), (messages, tools, known) => {
        const real = sum(messages, 'tokens') + tools.tokens;
        const counted = countFirst(messages, tools.tokens, known);
        const withTools: RunSettings = { ...settings, toolBytes: tools.toolBytes };
        expect(boundInputTokens(agentWith(messages, null), withTools)).toBeGreaterThanOrEqual(real);
        expect(boundInputTokens(agentWith(messages, counted), withTools)).toBeGreaterThanOrEqual(real);
      }),
    );
  });

  it('trusts the count of the provider over sizes, and adds all bytes that have come since', () => {
    const agent = agentWith([{ bytes: 100_000, tokens: 0 }], { tokens: 20_000, bytesSince: 500, itemsSince: 2 });
    expect(boundInputTokens(agent, { ...settings, toolBytes: 0 })).toBe(20_000 + 500 + 32);
  });

  it('is never above the size of the whole request, whatever was counted', () => {
    const agent = agentWith([{ bytes: 100, tokens: 0 }], { tokens: 20_000, bytesSince: 0, itemsSince: 0 });
    expect(boundInputTokens(agent, { ...settings, toolBytes: 11 })).toBe(6 + 100 + 16);
  });
});

describe('estimateInputTokens', () => {
  it('goes by sizes, tools included, until the provider has counted, and then by its count', () => {
    const tools: RunSettings = { ...settings, toolBytes: 700 };
    const uncounted = agentWith([{ bytes: 2800, tokens: 0 }], null);
    const counted = { ...uncounted, counted: { tokens: 900, bytesSince: 301, itemsSince: 1 } };
    expect([uncounted, counted].map((agent) => estimateInputTokens(agent, tools))).toEqual([1000, 1001]);
  });

  it('is never above the bound', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 30 }), fc.nat(30), (messages, known) => {
        for (const agent of [agentWith(messages, null), agentWith(messages, countFirst(messages, 0, known))]) {
          const bound = agent.counted === null ? boundInputTokens(agent, settings) : Number.POSITIVE_INFINITY;
          expect(estimateInputTokens(agent, settings)).toBeLessThanOrEqual(bound);
        }
      }),
    );
  });
});

/** What the provider said of the first `known` messages. */
function countFirst(messages: readonly Message[], toolTokens: number, known: number): AgentState['counted'] {
  const since = messages.slice(known);
  const tokens = sum(messages.slice(0, known), 'tokens') + toolTokens;
  return { tokens, bytesSince: sum(since, 'bytes'), itemsSince: since.length };
}

function agentWith(messages: readonly Message[], counted: AgentState['counted']): AgentState {
  const [agent] = Object.values(agents);
  if (agent === undefined) throw new Error('A run has a root');
  const context = messages.map(({ bytes }) => ({ role: 'user', blob: fakeBlob('any', bytes) }) as const);
  return { ...agent, context, contextBytes: sum(messages, 'bytes'), counted };
}

const sum = (messages: readonly Message[], what: keyof Message): number =>
  messages.reduce((total, message) => total + message[what], 0);
