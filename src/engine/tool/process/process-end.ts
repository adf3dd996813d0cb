// process_end: ends a process with everything that came of it, whatever it says to that.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { describeLeft } from './describe-workspace.ts';
import { findProcess, lookingAct, ProcessId } from './process-id.ts';
import { describeState } from './read-output.ts';

const ProcessEndArguments = z.strictObject({ process: ProcessId });
type ProcessEndArguments = z.infer<typeof ProcessEndArguments>;

export const processEnd: Tool<ProcessEndArguments> = {
  name: 'process_end',
  description:
    'Ends a process at once, with everything that it has started, and shows what became of the workspace since it began. What ' +
    'it wrote can still be read.',
  arguments: ProcessEndArguments,
  kind: 'write',
  target: ({ process }) => process,
  acts: () => [lookingAct],
  prepare: async (args, context) => ({ kind: 'look', run: () => end(args, context) }),
};

async function end({ process: id }: ProcessEndArguments, context: ToolContext): Promise<ToolResult> {
  const found = findProcess(context, id);
  if (found.kind === 'none') return found.result;
  await found.process.stop();
  const left = describeLeft(found.process);
  // Whoever makes a file gives it its name.
  const origin = left.length === 0 ? 'engine' : 'command';
  return { status: 'ok', text: [describeState(found.process), ...left].join('\n'), origin, seen: [] };
}
