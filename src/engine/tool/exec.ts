// exec: one program with its arguments, in the sandbox. No shell takes a word of it for anything but itself.
import { z } from 'zod';
import { toCommandText } from '../guard/to-command-text.ts';
import { prepareCommand } from './prepare-command.ts';
import { TimeoutSeconds, toWallMs } from './timeout.ts';
import type { Tool } from './tool.ts';

const ExecArguments = z.strictObject({
  argv: z
    .array(z.string())
    .min(1)
    .max(4096)
    .refine(([program]) => program !== '', 'the program needs a name')
    .refine((argv) => !argv.some((word) => word.includes('\0')), 'no word may hold the character U+0000')
    .describe(
      'The program and its arguments. The program is a name on the fixed PATH, or a path from the workspace on.',
    ),
  timeoutSeconds: TimeoutSeconds,
});
type ExecArguments = z.infer<typeof ExecArguments>;

export const exec: Tool<ExecArguments> = {
  name: 'exec',
  description:
    'Runs one program in the workspace, without a shell: no quoting, variables, patterns, pipes or redirects. Shows how it ' +
    'ended and what it wrote. What it writes to files is judged when it has ended, and made then. Of the network it reaches ' +
    'the hosts that are allowed, by http and https through the proxy of its environment, and no other.',
  arguments: ExecArguments,
  kind: 'write',
  target: (args) => toCommandText(toArgv(args)),
  acts: (args) => [{ kind: 'exec', argv: toArgv(args) }],
  prepare(args, context) {
    const argv = toArgv(args);
    return prepareCommand(
      { command: { argv }, text: toCommandText(argv), wallMs: toWallMs(args.timeoutSeconds) },
      context,
    );
  },
};

function toArgv({ argv: [program = '', ...rest] }: ExecArguments): [string, ...string[]] {
  return [program, ...rest];
}
