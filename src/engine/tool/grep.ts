// grep: lines by regular expression.
import { z } from 'zod';
import type { SearchHit } from '../guard/guard.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { failed, toOneLine } from './tool-result.ts';

const GrepArguments = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression in the syntax of ripgrep.'),
  path: z.string().min(1).optional().describe('File or directory to search; the whole workspace when left out.'),
  glob: z.string().min(1).max(1000).optional().describe('Only files that match this glob, for instance "*.ts".'),
});
type GrepArguments = z.infer<typeof GrepArguments>;

export const grep: Tool<GrepArguments> = {
  name: 'grep',
  description: 'Finds lines of text files in the workspace, without files that .gitignore leaves out.',
  arguments: GrepArguments,
  kind: 'read',
  target: ({ pattern }) => pattern,
  acts: ({ path = '.' }) => [{ kind: 'read', target: path }],
  prepare: async (args, context) => ({ kind: 'look', run: () => show(args, context) }),
};

async function show({ pattern, path, glob }: GrepArguments, { files, signal }: ToolContext): Promise<ToolResult> {
  const search = await files.grep({ pattern, path: path ?? null, glob: glob ?? null }, signal);
  if (search.kind === 'failed') return failed(`The search failed: ${search.reason}`);
  const { items, more } = search;
  const rest = more ? [`[only the first ${items.length} lines are shown: narrow the pattern, path or glob]`] : [];
  const lines = items.length === 0 ? [`No line matches "${pattern}".`] : [...items.map(toLine), ...rest];
  return { status: 'ok', text: lines.join('\n'), origin: 'repository', seen: [] };
}

function toLine({ path, line, text }: SearchHit): string {
  return `${toOneLine(path)}:${line}: ${text}`;
}
