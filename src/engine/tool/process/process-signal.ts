// process_signal: a signal to a process and to whatever came of it.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { failed } from '../tool-result.ts';
import { findProcess, lookingAct, ProcessId } from './process-id.ts';
import { describeState } from './read-output.ts';

const ProcessSignalArguments = z.strictObject({
  process: ProcessId,
  signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGSTOP', 'SIGCONT']),
});
type ProcessSignalArguments = z.infer<typeof ProcessSignalArguments>;

export const processSignal: Tool<ProcessSignalArguments> = {
  name: 'process_signal',
  description: 'Sends a signal to a process and to whatever came of it: SIGINT is what Ctrl-C sends.',
  arguments: ProcessSignalArguments,
  kind: 'write',
  target: ({ process, signal }) => `${process} ${signal}`,
  acts: () => [lookingAct],
  prepare: async (args, context) => ({ kind: 'look', run: async () => send(args, context) }),
};

function send({ process: id, signal }: ProcessSignalArguments, context: ToolContext): ToolResult {
  const found = findProcess(context, id);
  if (found.kind === 'none') return found.result;
  const { live, end } = found.process;
  if (live === null || end !== null) return failed(`Nothing was sent. ${describeState(found.process)}`);
  live.signal(signal);
  return { status: 'ok', text: `Sent ${signal} to ${id}.`, origin: 'engine', seen: [] };
}
