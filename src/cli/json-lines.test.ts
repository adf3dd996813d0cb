import { describe, expect, it } from 'vitest';
import { simulateRun } from '../../test/support/simulate-run.ts';
import type { LiveUpdate, RunResult } from '../engine/index.ts';
import { rootAgentId } from '../shared/id.ts';
import { noUsage } from '../shared/usage.ts';
import { createJsonLines } from './json-lines.ts';

const { events, state } = simulateRun({ random: () => 0.5, maxEvents: 3 });
const { runId } = state;
const update: LiveUpdate = { type: 'text-delta', runId, agentId: rootAgentId, step: 1, text: 'a\nb' };
const result: RunResult = {
  runId,
  outcome: { kind: 'finished', checked: false },
  exitCode: 0,
  evidence: null,
  usage: {
    ...noUsage,
    costUsd: null,
    unknown: { requests: 0, tokens: 0, costUsd: null },
    steps: 1,
    activeMs: 5,
  },
  denied: [],
};

async function linesOf(deltas: boolean): Promise<string[]> {
  let written = '';
  const view = createJsonLines((text) => {
    written += text;
  }, deltas);
  for (const event of events) view.event(event);
  view.live(update);
  await view.result(result);
  return written.split('\n');
}

describe('createJsonLines', () => {
  it('writes each event on a line of its own, and the result last', async () => {
    const lines = await linesOf(false);
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([...events, { type: 'result', ...result }]);
  });

  it('writes what is being said only when asked to', async () => {
    const lines = await linesOf(true);
    expect(lines.slice(events.length, -1).map((line) => JSON.parse(line))).toEqual([
      update,
      { type: 'result', ...result },
    ]);
  });
});
