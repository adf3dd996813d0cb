// process_start: a program or a line that goes on running between calls, to be read, written to and ended.
import { z } from 'zod';
import type { Command } from '../../guard/guard.ts';
import { toCommandText } from '../../guard/to-command-text.ts';
import type { CommandDone, Tool, ToolContext } from '../tool.ts';
import { failed } from '../tool-result.ts';
import { describeWorkspace } from './describe-workspace.ts';
import { readOutput } from './read-output.ts';

const ProcessStartArguments = z
  .strictObject({
    argv: z.array(z.string()).min(1).max(4096).optional().describe('A program and its arguments, without a shell.'),
    command: z.string().trim().min(1).optional().describe('A line for bash.'),
  })
  .refine(({ argv, command }) => (argv === undefined) !== (command === undefined), 'give either argv or command')
  .refine(({ argv = ['-'] }) => argv[0] !== '' && !argv.some((word) => word.includes('\0')), {
    path: ['argv'],
    message: 'the program needs a name, and no word may hold the character U+0000',
  });
type ProcessStartArguments = z.infer<typeof ProcessStartArguments>;

export const processStart: Tool<ProcessStartArguments> = {
  name: 'process_start',
  description:
    'Starts a process that goes on running between calls: an interpreter, a debugger, a watcher, a server. It works in the ' +
    'workspace itself, as it is at each moment, and writes where that is allowed without asking, which the result says; it ' +
    'may write to /tmp, and has no network and no terminal. It ends with the run. Shows what it writes first; see process_read.',
  arguments: ProcessStartArguments,
  kind: 'write',
  target: toText,
  acts: (args) => [{ kind: 'exec', ...toCommand(args) }],
  prepare: async (args, context) => {
    const writes = context.commands.opensWorkspace(context.unasked);
    return { kind: 'command', text: toText(args), writes, run: () => run(args, context, writes) };
  },
};

function toCommand({ argv, command = '' }: ProcessStartArguments): Exclude<Command, { git: unknown }> {
  if (argv === undefined) return { line: command };
  const [program = '', ...rest] = argv;
  return { argv: [program, ...rest] };
}

function toText(args: ProcessStartArguments): string {
  const command = toCommand(args);
  return 'line' in command ? command.line : toCommandText(command.argv);
}

/** Longer than any run. */
const wallMs = 7 * 24 * 3600 * 1000;
const firstOutputMs = 1_000;

async function run(args: ProcessStartArguments, context: ToolContext, opensWorkspace: boolean): Promise<CommandDone> {
  const { commands, processes, permitted, unasked, signal } = context;
  const command = toCommand(args);
  const writes = opensWorkspace ? unasked : 'none';
  const started = await processes.start(toText(args), (process, ending) =>
    commands.run({ command, wallMs, permitted, process: { ...process, writes } }, ending),
  );
  if (started === null) return toDone(failed(tooMany));
  const { text, ...result } = await readOutput(started, { cursor: 0, waitMs: firstOutputMs, signal });
  return toDone({ ...result, text: [text, ...describeWorkspace(started)].join('\n') });
}

const tooMany = 'Nothing was started: too many processes are running. End one with process_end.';

const toDone = (result: CommandDone['result']): CommandDone => ({
  result,
  leavings: { kind: 'nothing' },
  ran: null,
  isCutOff: false,
});
