// shell: one line for bash, in the sandbox.
import { z } from 'zod';
import { prepareCommand } from './prepare-command.ts';
import { TimeoutSeconds, toWallMs } from './timeout.ts';
import type { Tool } from './tool.ts';

const ShellArguments = z.strictObject({
  command: z.string().trim().min(1).describe('A line for bash. It starts in the workspace.'),
  timeoutSeconds: TimeoutSeconds,
});
type ShellArguments = z.infer<typeof ShellArguments>;

export const shell: Tool<ShellArguments> = {
  name: 'shell',
  description:
    'Runs a line of shell commands in the workspace and shows how it ended and what it wrote. Every command, operand and ' +
    'redirect in the line is judged by itself; plain words are judged best. What it writes to files is judged when it has ' +
    'ended, and made then. Nothing is kept running after it. Of the network it reaches the hosts that are allowed, by http and ' +
    'https through the proxy of its environment, and no other.',
  arguments: ShellArguments,
  kind: 'write',
  target: ({ command }) => command,
  acts: ({ command }) => [{ kind: 'exec', line: command }],
  prepare: ({ command, timeoutSeconds }, context) =>
    prepareCommand({ command: { line: command }, text: command, wallMs: toWallMs(timeoutSeconds) }, context),
};
