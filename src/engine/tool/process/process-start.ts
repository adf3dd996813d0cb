// process_start: a program or a line that goes on running between calls, to be read, written to and ended.
import { z } from 'zod';
import type { Command } from '../../guard/guard.ts';
import { toCommandText } from '../../guard/to-command-text.ts';
import type { CommandDone, Tool, ToolContext } from '../tool.ts';
import { failed } from '../tool-result.ts';
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
    'Starts a process that goes on running between calls: an interpreter, a debugger, a watcher, a server. It sees the ' +
    'workspace as it is at each moment and cannot write to it; it may write to /tmp, and has no network and no terminal. It ' +
    'ends with the run. Shows what it writes first; see process_read.',
  arguments: ProcessStartArguments,
  kind: 'write',
  target: toText,
  acts: (args) => [{ kind: 'exec', ...toCommand(args) }],
  prepare: async (args, context) => ({ kind: 'command', text: toText(args), run: () => run(args, context) }),
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

async function run(args: ProcessStartArguments, context: ToolContext): Promise<CommandDone> {
  const { commands, processes, permitted, signal } = context;
  const command = toCommand(args);
  const started = await processes.start(toText(args), (session, ending) =>
    commands.run({ command, wallMs, permitted, session }, ending),
  );
  if (started === null) return toDone(failed(tooMany));
  return toDone(await readOutput(started, { cursor: 0, waitMs: firstOutputMs, signal }));
}

const tooMany = 'Nothing was started: too many processes are running. End one with process_end.';

const toDone = (result: CommandDone['result']): CommandDone => ({
  result,
  leavings: { kind: 'nothing' },
  ran: null,
  isCutOff: false,
});
