// run_command: one line for the shell, in the sandbox. What it wrote is shown as it was captured, head and tail, without
// what only means something to a terminal.
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import type { CapHit, SandboxOutput, SandboxResult } from '../sandbox/sandbox.ts';
import { toPlainOutput } from './to-plain-output.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { failed } from './tool-result.ts';

const RunCommandArguments = z.strictObject({
  command: z.string().trim().min(1).describe('A line for bash. It starts in the workspace.'),
  timeoutSeconds: z.int().min(1).max(600).optional().describe('When to end it; 120 when left out.'),
});
type RunCommandArguments = z.infer<typeof RunCommandArguments>;

const usualSeconds = 120;

export const runCommand: Tool<RunCommandArguments> = {
  name: 'run_command',
  description:
    'Runs a line of shell commands in the workspace and shows how it ended and what it wrote. Every command, operand and ' +
    'redirect in the line is judged by itself; plain words are judged best. Nothing is kept running after it.',
  arguments: RunCommandArguments,
  kind: 'write',
  target: ({ command }) => command,
  acts: ({ command }) => [{ kind: 'exec', line: command }],
  prepare: async (args, context) => ({ kind: 'command', line: args.command, run: () => run(args, context) }),
};

async function run(
  { command, timeoutSeconds = usualSeconds }: RunCommandArguments,
  { commands, permitted, signal }: ToolContext,
): Promise<ToolResult> {
  const end = await commands.run({ line: command, wallMs: timeoutSeconds * 1000, permitted }, signal);
  if (end.kind === 'refused') return failed(`Nothing was run: ${end.because}.`);
  const { result } = end;
  if (result.kind === 'not-started') return failed(`Nothing was run: ${result.program}: ${result.reason}.`);
  const text = [describeEnd(result), toSection('stdout', result.stdout), toSection('stderr', result.stderr)].join('\n');
  return { status: result.kind === 'exit' && result.code === 0 ? 'ok' : 'failed', text, origin: 'command', seen: [] };
}

function describeEnd(result: Exclude<SandboxResult, { kind: 'not-started' }>): string {
  switch (result.kind) {
    case 'exit':
      return `Exit code ${result.code}.`;
    case 'signal':
      return `Ended by ${result.signal}.`;
    case 'cap':
      return `Ended because it went over its limit on ${capNames[result.cap]}.`;
    case 'cancelled':
      return 'Cancelled before it ended.';
    default:
      return assertNever(result);
  }
}

const capNames: Readonly<Record<CapHit['cap'], string>> = {
  wall: 'time',
  cpu: 'processor time',
  memory: 'memory',
  file: 'file size',
};

function toSection(name: string, output: SandboxOutput): string {
  const shown = toPlainOutput(output.text).trimEnd();
  return shown === '' ? `${name}: (nothing)` : `${name}:\n${shown}`;
}
