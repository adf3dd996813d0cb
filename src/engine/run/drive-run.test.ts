import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OpenedDriver, openDriver, toReply } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { Tool } from '../tool/tool.ts';
import { driveRun } from './drive-run.ts';

const never = new AbortController().signal;

async function cancel({ journal, lease }: OpenedDriver): Promise<void> {
  const body = { type: 'run-cancel', actor: 'a person' } as const;
  await journal.writer.appendPerson(lease.runId, { agentId: rootAgentId, step: 0, at: 1, body, subject: null }, []);
}

/** A read that a person cancels the run in, or one that is answered without a look. */
function createReader(name: string, prepare: Tool['prepare']): Tool {
  return {
    name,
    description: name,
    arguments: z.unknown(),
    kind: 'read',
    target: () => 'a.txt',
    acts: () => [{ kind: 'read', target: 'a.txt' }],
    prepare,
  };
}

describe('a person who cancels a run', () => {
  it('is heard in the middle of reads of which one is answered already', async () => {
    await using driver = await openDriver({ replies: [toReply('', ['slow', 'quick'].map(toCall))] });
    const result = { status: 'ok', text: '', origin: 'engine', seen: [] } as const;
    const slow = createReader('slow', async (_, { signal }) => ({
      kind: 'look',
      run: async () => {
        await cancel(driver);
        if (!signal.aborted) await once(signal, 'abort');
        return result;
      },
    }));
    const quick = createReader('quick', async () => ({ kind: 'answer', result }));
    const tools = new Map([slow, quick].map((tool) => [tool.name, tool]));
    const outcome = await driveRun({ ...driver.ports, tools }, never);
    expect(outcome).toEqual({ kind: 'cancelled', by: 'a person' });
  });

  it('is heard in the middle of a check that has told of its commands', async () => {
    const contract = { verification: { kind: 'command' as const, argv: ['true'] satisfies [string] } };
    await using driver = await openDriver({ replies: [toReply('Done.')], contract });
    const check: OpenedDriver['ports']['check'] = async (_, watch, signal) => {
      const end = await watch({ program: 'true', isolation: 'none' });
      await cancel(driver);
      if (!signal.aborted) await once(signal, 'abort');
      end({ kind: 'not-started', program: 'true', stage: 'sandbox', reason: 'it was cancelled' });
      return { result: 'notEvaluated', summary: '', evidence: '', isolation: null };
    };
    const outcome = await driveRun({ ...driver.ports, check }, never);
    expect([outcome, driver.events('sandbox-exit')]).toMatchObject([
      { kind: 'cancelled', by: 'a person' },
      [{ check: 1, end: 'not-started' }],
    ]);
  });
});

const toCall = (tool: string) => ({ tool, arguments: {} });
