// How a tool is told to a model: the same schema that its arguments are parsed with, so the two cannot drift apart.
import { z } from 'zod';
import type { ToolSpec } from '../provider/model-provider.ts';
import type { Tool } from './tool.ts';

/** The spec of `tool`, with its arguments as a JSON Schema. */
export function toToolSpec(tool: Tool): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.arguments, { io: 'input' });
  return { name: tool.name, description: tool.description, parameters };
}
