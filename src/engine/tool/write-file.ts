// write_file: the whole content of one file. Over a version that the agent has not seen last it refuses, because such a
// write would undo what somebody else did meanwhile.
import { z } from 'zod';
import type { BlobHash } from '../../shared/id.ts';
import type { FileContent } from '../guard/guard.ts';
import { describeChange } from './describe-change.ts';
import { describeOverwrite } from './describe-stale.ts';
import { countLines } from './line-end.ts';
import { decodeText, encodeText, plainText } from './text-codec.ts';
import type { PreparedCall, Tool, ToolContext, ToolResult } from './tool.ts';
import { answer, count, failed, toShortHash } from './tool-result.ts';

const WriteFileArguments = z.strictObject({
  path: z.string().min(1).describe('Path relative to the workspace. Missing directories are created.'),
  content: z.string().describe('The whole new content of the file.'),
});
type WriteFileArguments = z.infer<typeof WriteFileArguments>;

/** Both images are kept in the journal. */
const maxBytes = 64 * 1024 * 1024;
const utf8Bom = Buffer.from('\uFEFF');

export const writeFile: Tool<WriteFileArguments> = {
  name: 'write_file',
  description:
    'Writes a file of the workspace as a whole, as UTF-8; creates it and its directories when they are missing. ' +
    'To change a part of a file use edit_file.',
  arguments: WriteFileArguments,
  kind: 'write',
  target: ({ path }) => path,
  acts: ({ path }) => [
    { kind: 'read', target: path },
    { kind: 'write', target: path },
  ],
  prepare,
};

async function prepare({ path, content }: WriteFileArguments, context: ToolContext): Promise<PreparedCall> {
  const read = await context.files.read(path, maxBytes);
  if (read.kind === 'unreadable') return answer(failed(`${read.reason}. Nothing was written.`));
  const file = read.kind === 'file' ? read.file : null;
  const stale = file === null ? null : await describeOverwrite(file, context.history);
  if (stale !== null) return answer(stale);
  const after = await encodeText(content, { ...plainText, hasBom: addsBom(file, content) });
  if (after === null) return answer(failed('The content holds half a surrogate pair, which UTF-8 cannot hold.'));
  const target = read.kind === 'file' ? read.file.path : read.path;
  const version = { path: target, content, after, hash: context.files.hashOf(after) };
  return file === null ? toCreation(version) : await toReplacement(file, version);
}

interface Version {
  readonly path: string;
  readonly content: string;
  readonly after: Uint8Array;
  readonly hash: BlobHash;
}

/** A file that starts with a byte order mark keeps it: programs that wrote it may rely on it. */
function addsBom(file: FileContent | null, content: string): boolean {
  return file !== null && utf8Bom.equals(file.bytes.subarray(0, 3)) && !content.startsWith('\uFEFF');
}

function toCreation(version: Version): PreparedCall {
  const { path, content, after } = version;
  const text = `Created ${path}: ${count(countLines(content), 'line')}, ${count(after.length, 'byte')}`;
  return { kind: 'change', path, before: null, after, result: toResult(version, text) };
}

async function toReplacement({ path, bytes, hash }: FileContent, version: Version): Promise<PreparedCall> {
  const { content, after } = version;
  if (hash === version.hash) return answer(toResult(version, `${path} already has this content; nothing was written`));
  const decoded = await decodeText(bytes);
  const change = decoded.kind === 'text' ? describeChange(decoded.text, content) : 'a binary file was replaced';
  const { encoding } = decoded.kind === 'text' ? decoded.form : plainText;
  const recoded = encoding === plainText.encoding ? '' : `, ${encoding} before and UTF-8 now`;
  const result = toResult(version, `Wrote ${path}: ${change}${recoded}`);
  return { kind: 'change', path, before: { hash, bytes }, after, result };
}

function toResult({ path, hash }: Version, text: string): ToolResult {
  return { status: 'ok', text: `${text}, now ${toShortHash(hash)}.`, origin: 'engine', seen: [{ path, hash }] };
}
