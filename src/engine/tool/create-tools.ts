// The tools an agent has, always in this order: the head of a prompt stays the same bytes from step to step.
import { editFile } from './edit-file.ts';
import { find } from './find.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { proposePlan } from './propose-plan.ts';
import { readFile } from './read-file.ts';
import { runCommand } from './run-command.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

export interface ToolChoice {
  /** Whether the model may run commands at all. */
  readonly commands: boolean;
  /** Whether a plan is to be approved before anything is done. */
  readonly plan: boolean;
}

/** By name, in the order in which a model is told of them. */
export function createTools({ commands, plan }: ToolChoice): ReadonlyMap<string, Tool> {
  const tools: readonly Tool[] = [
    readFile,
    writeFile,
    editFile,
    listDir,
    find,
    grep,
    ...(commands ? [runCommand] : []),
    ...(plan ? [proposePlan] : []),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
