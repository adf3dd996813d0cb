// process_list: the processes of the run, and which of them still run.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { toOneLine } from '../tool-result.ts';
import { lookingAct } from './process-id.ts';
import { describeState } from './read-output.ts';

export const processList: Tool<Record<string, never>> = {
  name: 'process_list',
  description: 'Lists the processes that were started, with how much each has written.',
  arguments: z.strictObject({}),
  kind: 'read',
  target: () => '',
  acts: () => [lookingAct],
  prepare: async (_, context) => ({ kind: 'look', run: async () => list(context) }),
};

function list({ processes }: ToolContext): ToolResult {
  const lines = processes
    .list()
    .map((process) => `${describeState(process)} ${process.log.end} bytes written. ${toOneLine(process.text)}`);
  const text = lines.length === 0 ? 'No process was started.' : lines.join('\n');
  return { status: 'ok', text, origin: 'engine', seen: [] };
}
