// read_file: one file, whole or a range of lines, as raw text that an edit can quote. Nothing is shortened in silence: what
// cannot be shown is named instead.
import { z } from 'zod';
import type { FileContent, FileRead } from '../guard/guard.ts';
import { countLineEnds, countLines } from './line-end.ts';
import { decodeText, type TextForm } from './text-codec.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { count, failed, toOneLine } from './tool-result.ts';

const ReadFileArguments = z
  .strictObject({
    path: z.string().min(1).describe('Path relative to the workspace.'),
    fromLine: z.int().min(1).optional().describe('First line to show, counted from 1.'),
    toLine: z.int().min(1).optional().describe('Last line to show.'),
  })
  .refine(({ fromLine = 1, toLine = Infinity }) => fromLine <= toLine, 'fromLine must not be greater than toLine');
type ReadFileArguments = z.infer<typeof ReadFileArguments>;

const mebibyte = 1024 * 1024;
const maxWholeBytes = 10 * mebibyte;
const maxRangeBytes = 64 * mebibyte;

export const readFile: Tool<ReadFileArguments> = {
  name: 'read_file',
  description:
    'Reads a text file of the workspace. The first line of the result describes the file; the text follows as it is. ' +
    'Give fromLine and toLine for a part of it.',
  arguments: ReadFileArguments,
  kind: 'read',
  target: ({ path }) => path,
  acts: ({ path }) => [{ kind: 'read', target: path }],
  prepare: async (args, context) => ({ kind: 'look', run: () => show(args, context) }),
};

async function show(args: ReadFileArguments, { files }: ToolContext): Promise<ToolResult> {
  const isRange = args.fromLine !== undefined || args.toLine !== undefined;
  const read = await files.read(args.path, isRange ? maxRangeBytes : maxWholeBytes);
  if (read.kind !== 'file') return failed(describeUnread(args.path, read, isRange));
  const { file } = read;
  const decoded = await decodeText(file.bytes);
  if (decoded.kind === 'binary') return failed(describeBinary(file, decoded.looksLike));
  const lines = countLines(decoded.text);
  const { fromLine = 1, toLine = lines } = args;
  if (isRange && fromLine > lines) return failed(`"${file.path}" has only ${count(lines, 'line')}.`);
  const range = isRange ? { fromLine, toLine: Math.min(toLine, lines) } : null;
  const header = describeFile(file, decoded.text, decoded.form, range);
  const text = range === null ? decoded.text : sliceLines(decoded.text, range);
  return {
    status: 'ok',
    text: `${header}\n${text}`,
    origin: 'repository',
    seen: [{ path: file.path, hash: file.hash }],
  };
}

function describeUnread(path: string, read: Exclude<FileRead, { kind: 'file' }>, isRange: boolean): string {
  if (read.kind === 'missing') return `${path} does not exist.`;
  if (read.tooLargeBytes === undefined) return `${read.reason}.`;
  const wayOn = isRange ? 'use grep to find lines in it' : 'read a range of it with fromLine and toLine, or use grep';
  return `${read.reason}; ${wayOn}.`;
}

function describeBinary(file: FileContent, looksLike: string | null): string {
  const kind = looksLike === null ? '' : `, looks like a ${looksLike}`;
  return `"${file.path}" is a binary file of ${count(file.bytes.length, 'byte')}${kind}; its content is not shown.`;
}

/** One line: the path, its size in lines, and whatever is not plain UTF-8 with LF. */
function describeFile(
  file: FileContent,
  text: string,
  form: TextForm,
  range: { readonly fromLine: number; readonly toLine: number } | null,
): string {
  if (text === '') return `${toOneLine(file.path)}: empty file${describeForm(form)}`;
  const shown = range === null ? '' : `, lines ${range.fromLine} to ${range.toLine} shown`;
  const size = count(countLines(text), 'line');
  return `${toOneLine(file.path)}: ${size}${shown}${describeForm(form)}${describeLineEnds(text)}`;
}

function describeForm({ encoding, hasBom }: TextForm): string {
  const name = encoding === 'utf-8' ? '' : `, ${encoding}`;
  return hasBom ? `${name || ', utf-8'} with byte order mark` : name;
}

function describeLineEnds(text: string): string {
  const pairs = countLineEnds(text, '\r\n');
  if (pairs === 0) return '';
  const single = countLineEnds(text) - pairs;
  return single === 0 ? ', CRLF line ends' : `, mixed line ends (${pairs} CRLF, ${single} LF)`;
}

function sliceLines(text: string, range: { readonly fromLine: number; readonly toLine: number }): string {
  return text.slice(findLineStart(text, range.fromLine), findLineStart(text, range.toLine + 1));
}

function findLineStart(text: string, line: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return start;
}
