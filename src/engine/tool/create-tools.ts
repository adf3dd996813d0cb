// The tools an agent has, always in this order: the head of a prompt stays the same bytes from step to step.
import { editFile } from './edit-file.ts';
import { find } from './find.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { readFile } from './read-file.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

/** By name, in the order in which a model is told of them. */
export function createTools(): ReadonlyMap<string, Tool> {
  const tools: readonly Tool[] = [readFile, writeFile, editFile, listDir, find, grep];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
