// edit_file: exchanges one passage of a file, in the file's own encoding and with its own line ends, or does nothing and
// says why. Bytes outside the passage are never touched.
import { z } from 'zod';
import type { FileContent, GuardedFiles } from '../guard/guard.ts';
import { describeChange } from './describe-change.ts';
import { describeStale } from './describe-stale.ts';
import { editText, maxPlaces, type TextEdit } from './edit-text.ts';
import { findSimilarLines } from './find-similar-lines.ts';
import { decodeText, encodeText, type TextForm } from './text-codec.ts';
import type { PreparedCall, Tool, ToolContext } from './tool.ts';
import { answer, failed, toShortHash } from './tool-result.ts';

const EditFileArguments = z.strictObject({
  path: z.string().min(1).describe('Path relative to the workspace. The file must exist.'),
  old: z.string().min(1).describe('The passage to replace, exactly as it stands in the file; it must occur once.'),
  new: z.string().describe('What takes its place; empty to delete it.'),
});
type EditFileArguments = z.infer<typeof EditFileArguments>;

/** Both images are kept in the journal. */
const maxBytes = 64 * 1024 * 1024;

export const editFile: Tool<EditFileArguments> = {
  name: 'edit_file',
  description:
    'Replaces one passage of a text file. The passage must occur exactly once; include enough lines around it. ' +
    'Line ends and encoding of the file are kept.',
  arguments: EditFileArguments,
  kind: 'write',
  target: ({ path }) => path,
  acts: ({ path }) => [
    { kind: 'read', target: path },
    { kind: 'write', target: path },
  ],
  prepare,
};

async function prepare(args: EditFileArguments, context: ToolContext): Promise<PreparedCall> {
  const read = await context.files.read(args.path, maxBytes);
  if (read.kind === 'missing') return refuse(`${args.path} does not exist; write_file creates files.`);
  if (read.kind === 'unreadable') return refuse(`${read.reason}. Nothing was changed.`);
  const { file } = read;
  const stale = await describeStale(file, context.history);
  if (stale !== null) return answer(stale);
  const decoded = await decodeText(file.bytes);
  if (decoded.kind === 'binary') return refuse(`${file.path} is a binary file and cannot be edited as text.`);
  const edit = editText(decoded.text, args.old, args.new);
  if (edit.kind !== 'edited') return refuse(describeMiss(file.path, decoded.text, args.old, edit));
  return await toChange(context.files, file, { before: decoded.text, form: decoded.form, edit });
}

interface FoundEdit {
  readonly before: string;
  readonly form: TextForm;
  readonly edit: Extract<TextEdit, { kind: 'edited' }>;
}

async function toChange(
  files: GuardedFiles,
  file: FileContent,
  { before, form, edit }: FoundEdit,
): Promise<PreparedCall> {
  const { path, hash, bytes } = file;
  const after = await encodeText(edit.text, form);
  if (after === null) {
    return refuse(`${path} is ${form.encoding}, which lacks a character of the new text. Nothing was changed.`);
  }
  const next = files.hashOf(after);
  const text = `Edited ${path} at line ${edit.line}: ${describeChange(before, edit.text)}, now ${toShortHash(next)}.`;
  const result = { status: 'ok', text, origin: 'engine', seen: [{ path, hash: next }] } as const;
  return { kind: 'change', path, before: { hash, bytes }, after, result };
}

function describeMiss(path: string, text: string, old: string, edit: Exclude<TextEdit, { kind: 'edited' }>): string {
  switch (edit.kind) {
    case 'unchanged':
      return 'Old and new text are the same but for line ends, which edit_file keeps. Nothing was changed.';
    case 'ambiguous': {
      const times = edit.lines.length < maxPlaces ? `${edit.lines.length} times` : `${maxPlaces} times or more`;
      const places = `${times} in ${path}, at lines ${edit.lines.join(', ')}`;
      return `The old text occurs ${places}. Nothing was changed; include more lines so that it occurs once.`;
    }
    case 'absent':
      return `The old text does not occur in ${path}. Nothing was changed.${describeSimilar(text, old)}`;
  }
}

function describeSimilar(text: string, old: string): string {
  const similar = findSimilarLines(text, old);
  if (similar === null) return ' Read the file again and quote it exactly.';
  return ` With other white space it stands at line ${similar.line}:\n${similar.text}`;
}

function refuse(text: string): PreparedCall {
  return answer(failed(text));
}
