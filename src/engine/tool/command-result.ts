// How a command ended and what it wrote, in the words of every tool that runs one: as it was captured, head and tail, without
// what only means something to a terminal.
import { assertNever } from '../../shared/assert-never.ts';
import type { CommandEnd } from '../guard/guard.ts';
import type { CapHit, CapName, Leavings, SandboxOutput, SandboxResult } from '../sandbox/sandbox.ts';
import { toPlainOutput } from './to-plain-output.ts';
import type { CommandDone, ToolResult } from './tool.ts';
import { failed } from './tool-result.ts';

export function toCommandDone(end: CommandEnd): CommandDone {
  const result = toCommandResult(end);
  if (end.kind === 'refused') return { result, ran: null, leavings: none, isCutOff: false };
  const { result: ran } = end;
  if (ran.kind === 'not-started') return { result, ran, leavings: none, isCutOff: false };
  return { result, ran, leavings: ran.leavings, isCutOff: ran.kind === 'cancelled' };
}

const none: Leavings = { kind: 'nothing' };

export function toCommandResult(end: CommandEnd): ToolResult {
  if (end.kind === 'refused') return notRun(end.because);
  const { result } = end;
  if (result.kind === 'not-started') {
    const { program, reason, advice } = result;
    return notRun(`${program}: ${reason}${advice === undefined ? '' : `. ${advice}`}`);
  }
  const output = [toSection('stdout', result.stdout), toSection('stderr', result.stderr)];
  const text = [describeEnd(result), ...output, ...toHostLines(end.unreached)].join('\n');
  const status = result.kind === 'exit' && result.code === 0 ? 'ok' : 'failed';
  return { status, text, origin: 'command', seen: [] };
}

/** Programs say little more of it than that something failed. */
function toHostLines(unreached: readonly string[]): string[] {
  return unreached.length === 0 ? [] : ['It did not get to these hosts:', ...unreached.map((each) => `- ${each}`)];
}

function notRun(because: string): ToolResult {
  return failed(`Nothing was run: ${because}.`);
}

type Ran = Exclude<SandboxResult, { kind: 'not-started' }>;

export function describeEnd(result: Ran): string {
  switch (result.kind) {
    case 'exit':
      return `Exit code ${result.code}.`;
    case 'signal':
      return `Ended by ${result.signal}.`;
    case 'cap':
      return describeCap(result.hit);
    case 'cancelled':
      return 'Cancelled before it ended.';
    default:
      return assertNever(result);
  }
}

function describeCap({ cap, limit, unit }: CapHit): string {
  const bound = unit === 'processes' ? `${limit} at once` : `${limit} ${unit}`;
  return `Ended because it went over its limit on ${capNames[cap]} (${bound}). What it had written to files is lost.`;
}

const capNames: Readonly<Record<CapName, string>> = {
  wall: 'time',
  cpu: 'processor time',
  memory: 'memory',
  processes: 'processes',
  output: 'output',
  file: 'file size',
  disk: 'disk space',
};

function toSection(name: string, output: SandboxOutput): string {
  const shown = toPlainOutput(output.text).trimEnd();
  return shown === '' ? `${name}: (nothing)` : `${name}:\n${shown}`;
}
