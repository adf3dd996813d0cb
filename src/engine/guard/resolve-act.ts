// From an act as it was declared to everything it comes to: a command line becomes every command, operand, redirect and
// address in it, each an act of its own.
import type { DeclaredAct } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { CommandPart } from './command-line/line-part.ts';
import { tooManyParts } from './command-line/part-collector.ts';
import { type LinePart, openCommandLineReader } from './command-line/read-command-line.ts';
import { identifyProgram, type ProgramPlace } from './identify-program.ts';
import type { Resolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeOperand, toAbsolute } from './place-operand.ts';
import { placePath } from './place-path.ts';
import { resolveNetTarget } from './resolve-net-target.ts';
import { toCommandText } from './to-command-text.ts';

type ResolvedActs = readonly [Resolved, ...Resolved[]];

/** Touches nothing; the same act resolves to the same as long as the world stays as it is. */
export async function resolveAct(root: WorkspaceRoot, act: DeclaredAct): Promise<ResolvedActs> {
  root.assertOpen();
  switch (act.kind) {
    case 'read':
    case 'write': {
      const { place, ...resolved } = placePath(root, act.kind, act.target);
      place.close();
      return [resolved];
    }
    case 'net':
      return [resolveNetTarget(act.target)];
    case 'exec': {
      const reader = await openCommandLineReader();
      const isLine = 'line' in act;
      const parts = isLine ? reader.readLine(act.line) : reader.readArgv(act.argv);
      const isCareful = !isLine && act.leavesOutUnreadable === true;
      return resolveParts(
        { root, by: isLine ? 'shell' : 'engine', isCareful },
        parts,
        isLine ? act.line : toCommandText(act.argv),
      );
    }
    default:
      return assertNever(act);
  }
}

interface Setting {
  readonly root: WorkspaceRoot;
  readonly by: ProgramPlace['by'];
  /** What git keeps of files that may not be read is left out. */
  readonly isCareful: boolean;
}

/** In the order of the line, each act once. */
function resolveParts(setting: Setting, parts: readonly LinePart[], text: string): ResolvedActs {
  const resolved = new Map<string, Resolved>();
  // What the reader left out nobody would judge.
  if (parts.some((part) => part.kind === 'opaque' && part.reason === tooManyParts)) {
    return [refuseLine(text, tooManyParts)];
  }
  for (const part of parts) {
    const act = resolvePart(setting, part);
    resolved.set(JSON.stringify(act), act);
  }
  const [first, ...rest] = resolved.values();
  return first === undefined ? [refuseLine(text, 'nothing can be read in it')] : [first, ...rest];
}

function resolvePart({ root, by, isCareful }: Setting, part: LinePart): Resolved {
  switch (part.kind) {
    case 'path':
      return {
        ...placeOperand(root, part),
        isDeep: part.isDeep,
        ...(part.glob === undefined ? {} : { glob: part.glob }),
      };
    case 'net':
      return resolveNetTarget(part.target);
    case 'command': {
      const program = identifyProgram(part.words[0], { directory: toDirectory(root, part.directory), by });
      const act = { kind: 'exec', target: toCommandText(part.words), program, opaque: null } as const;
      return { act, refusal: null, ...toTracked(part, isCareful) };
    }
    case 'opaque': {
      const place = { directory: toDirectory(root, part.directory), by };
      const program = part.program === null ? null : identifyProgram(part.program, place);
      const act = { kind: 'exec', target: part.text, program, opaque: part.reason } as const;
      return { act, refusal: null, ...toTracked(part, isCareful) };
    }
    default:
      return assertNever(part);
  }
}

function toTracked({ tracked }: Pick<CommandPart, 'tracked'>, isCareful: boolean): Pick<Resolved, 'tracked'> {
  return tracked === undefined || isCareful ? {} : { tracked };
}

function toDirectory(root: WorkspaceRoot, directory: string | null): string | null {
  return directory === null ? null : toAbsolute(root, directory);
}

function refuseLine(text: string, reason: string): Resolved {
  return { act: { kind: 'exec', target: text, program: null, opaque: reason }, refusal: reason };
}
