// process_write: input for a running process. What it may do with it was settled when it was started, and is kept by the
// sandbox; what it is told is shown to people like a command.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { failed } from '../tool-result.ts';
import { findProcess, ProcessId } from './process-id.ts';
import { describeState } from './read-output.ts';

const ProcessWriteArguments = z.strictObject({
  process: ProcessId,
  text: z
    .string()
    .max(64 * 1024)
    .describe('Written as it is: end a line with a newline.'),
  isLast: z.boolean().optional().describe('Whether its input ends with this.'),
});
type ProcessWriteArguments = z.infer<typeof ProcessWriteArguments>;

export const processWrite: Tool<ProcessWriteArguments> = {
  name: 'process_write',
  description: 'Writes text to the input of a process.',
  arguments: ProcessWriteArguments,
  kind: 'write',
  target: ({ process, text }) => `${process} ${JSON.stringify(text)}`,
  acts: ({ process }) => [{ kind: 'exec', argv: ['process_write', process] }],
  prepare: async (args, context) => ({
    kind: 'command',
    text: args.text,
    run: async () => ({ result: await run(args, context), ran: null, leavings: { kind: 'nothing' }, isCutOff: false }),
  }),
};

/** A process that reads nothing would be waited for for ever. */
const patienceMs = 2_000;

async function run(
  { process: id, text, isLast = false }: ProcessWriteArguments,
  context: ToolContext,
): Promise<ToolResult> {
  const found = findProcess(context, id);
  if (found.kind === 'none') return found.result;
  const { live, end } = found.process;
  if (live === null || end !== null) return failed(`Nothing was written. ${describeState(found.process)}`);
  const written = live.write(Buffer.from(text));
  if (isLast) live.closeInput();
  const became = await Promise.race([written, sleep(patienceMs, 'pending' as const, { ref: false })]);
  if (became === 'closed') return failed('Nothing was written: its input is closed.');
  const bytes = Buffer.byteLength(text);
  const note = became === 'pending' ? ' It has not read all of it yet.' : '';
  return { status: 'ok', text: `Wrote ${bytes} bytes to ${id}.${note}`, origin: 'engine', seen: [] };
}
