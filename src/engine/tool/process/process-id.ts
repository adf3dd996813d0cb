// A process as an argument of the process tools, and what is said where there is none.
import { z } from 'zod';
import type { ToolContext, ToolResult } from '../tool.ts';
import { failed } from '../tool-result.ts';
import type { RunningProcess } from './processes.ts';

export const ProcessId = z.string().min(1).max(40).describe('The process, as process_start has named it.');

/** They reach nothing but what a permitted command has started and what it wrote, which is no more than looking. */
export const lookingAct = { kind: 'read', target: '.' } as const;

export type FoundProcess =
  | { readonly kind: 'found'; readonly process: RunningProcess }
  | { readonly kind: 'none'; readonly result: ToolResult };

export function findProcess({ processes }: Pick<ToolContext, 'processes'>, id: string): FoundProcess {
  const process = processes.find(id);
  if (process !== null) return { kind: 'found', process };
  const text = `There is no process ${JSON.stringify(id)}. A process ends with the engine that has started it: after a restart it is gone, and what it had changed in the workspace since it began, nobody has looked through.`;
  return { kind: 'none', result: failed(text) };
}
