// How a tool is told to a model: the same schema that its arguments are parsed with, so the two cannot drift apart. What was
// told once is kept: many agents are told the same, and whoever sends or names a request goes by the object.
import { z } from 'zod';
import type { ToolSpec } from '../provider/model-provider.ts';
import type { Tool } from './tool.ts';

const specs = new WeakMap<Tool, ToolSpec>();
const lists = new Map<string, readonly ToolSpec[]>();
const maxLists = 64;
const sizes = new WeakMap<readonly ToolSpec[], number>();

/** The spec of `tool`, with its arguments as a JSON Schema. */
export function toToolSpec(tool: Tool): ToolSpec {
  const known = specs.get(tool) ?? describe(tool);
  specs.set(tool, known);
  return known;
}

/** The specs of several, in their order: the same list for the same tools. */
export function toToolSpecs(tools: Iterable<Tool>): readonly ToolSpec[] {
  const now = [...tools].map(toToolSpec);
  const names = now.map(({ name }) => name).join(' ');
  const known = lists.get(names);
  if (known?.every((spec, place) => spec === now[place])) return known;
  if (lists.size >= maxLists) lists.clear();
  lists.set(names, now);
  return now;
}

/** Size of the descriptions that go with every request. */
export function toToolBytes(list: readonly ToolSpec[]): number {
  const known = sizes.get(list) ?? Buffer.byteLength(JSON.stringify(list));
  sizes.set(list, known);
  return known;
}

function describe(tool: Tool): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.arguments, { io: 'input' });
  return { name: tool.name, description: tool.description, parameters };
}
