// list_dir: the entries of one directory, one a line.
import { z } from 'zod';
import type { DirectoryEntry } from '../guard/guard.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { count, failed, toOneLine } from './tool-result.ts';

const ListDirArguments = z.strictObject({
  path: z.string().min(1).describe('Path relative to the workspace; "." is the workspace itself.'),
});
type ListDirArguments = z.infer<typeof ListDirArguments>;

export const listDir: Tool<ListDirArguments> = {
  name: 'list_dir',
  description: 'Lists one directory of the workspace: "name/" is a directory, "name@" a link, files have their size.',
  arguments: ListDirArguments,
  kind: 'read',
  target: ({ path }) => path,
  acts: ({ path }) => [{ kind: 'read', target: path }],
  prepare: async (args, context) => ({ kind: 'look', run: () => show(args, context) }),
};

async function show({ path }: ListDirArguments, { files }: ToolContext): Promise<ToolResult> {
  const listing = await files.list(path);
  if (listing.kind === 'unreadable') return failed(`${listing.reason}.`);
  const { entries, more } = listing;
  const size = entries.length === 0 ? 'nothing in it' : `${entries.length} listed`;
  const rest = more ? ', and there are more: use find with a glob to narrow' : '';
  const text = [`${toOneLine(path)}: ${size}${rest}`, ...entries.map(toLine)].join('\n');
  return { status: 'ok', text, origin: 'repository', seen: [] };
}

function toLine({ name, kind, bytes }: DirectoryEntry): string {
  const visible = toOneLine(name);
  switch (kind) {
    case 'directory':
      return `${visible}/`;
    case 'link':
      return `${visible}@`;
    case 'file':
      return bytes === null ? visible : `${visible} (${count(bytes, 'byte')})`;
    case 'other':
      return `${visible} (not a regular file)`;
  }
}
