// find: files by name.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { failed, toOneLine } from './tool-result.ts';

const FindArguments = z.strictObject({
  pattern: z.string().min(1).max(1000).describe('Glob: "*.ts" is tried on file names, "src/**/*.ts" on paths.'),
});
type FindArguments = z.infer<typeof FindArguments>;

export const find: Tool<FindArguments> = {
  name: 'find',
  description: 'Finds files of the workspace by name, without those that .gitignore leaves out.',
  arguments: FindArguments,
  kind: 'read',
  target: ({ pattern }) => pattern,
  acts: () => [{ kind: 'read', target: '.' }],
  prepare: async (args, context) => ({ kind: 'look', run: () => show(args, context) }),
};

async function show({ pattern }: FindArguments, { files, signal }: ToolContext): Promise<ToolResult> {
  const search = await files.find(pattern, signal);
  if (search.kind === 'failed') return failed(`The search failed: ${search.reason}`);
  const { items, more } = search;
  const rest = more ? [`[only the first ${items.length} are shown: narrow the pattern]`] : [];
  const lines = items.length === 0 ? [`No file matches "${pattern}".`] : [...items.map(toOneLine), ...rest];
  return { status: 'ok', text: lines.join('\n'), origin: 'repository', seen: [] };
}
