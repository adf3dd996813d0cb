// process_read: what a process has written since a place in its output.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { findProcess, lookingAct, ProcessId } from './process-id.ts';
import { readOutput } from './read-output.ts';

const ProcessReadArguments = z.strictObject({
  process: ProcessId,
  cursor: z.int().min(0).describe('Where to read on, as the last result has said; 0 is the beginning.'),
  waitSeconds: z.int().min(0).max(60).optional().describe('How long to wait for something to read; 5 when left out.'),
});
type ProcessReadArguments = z.infer<typeof ProcessReadArguments>;

export const processRead: Tool<ProcessReadArguments> = {
  name: 'process_read',
  description:
    'Shows what a process has written since a place in its output, and whether it still runs. The last mebibyte is kept; ' +
    'what is no longer there is counted.',
  arguments: ProcessReadArguments,
  kind: 'read',
  target: ({ process }) => process,
  acts: () => [lookingAct],
  prepare: async (args, context) => ({ kind: 'look', run: () => run(args, context) }),
};

async function run(
  { process: id, cursor, waitSeconds = 5 }: ProcessReadArguments,
  context: ToolContext,
): Promise<ToolResult> {
  const found = findProcess(context, id);
  if (found.kind === 'none') return found.result;
  return readOutput(found.process, { cursor, waitMs: waitSeconds * 1000, signal: context.signal });
}
