// Changes of a command as one content of the journal: what was there, and what it would become. A short table comes first,
// its length in four bytes before it; the bytes of the files follow in the order in which the table names them, each with a
// line end behind it: run together, a secret at the end of one might not be known for one.
import { z } from 'zod';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';

const PackedEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), mode: z.int().nonnegative(), length: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('directory'), mode: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('link'), target: z.string() }),
]);
type PackedEntry = z.infer<typeof PackedEntry>;

const Table = z.array(
  z.strictObject({ path: z.string(), before: PackedEntry.nullable(), after: PackedEntry.nullable() }),
);

const headBytes = 4;
const lineEnd = Buffer.from('\n');

export function packChanges(changes: readonly WorkspaceChange[]): Uint8Array {
  const table = changes.map(({ path, before, after }) => ({ path, before: toPacked(before), after: toPacked(after) }));
  const text = Buffer.from(JSON.stringify(table satisfies z.infer<typeof Table>));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(text.length);
  const contents = changes.flatMap(({ before, after }) => [...toContent(before), ...toContent(after)]);
  return Buffer.concat([head, text, lineEnd, ...contents]);
}

/** Throws what zod or JSON say of a content that is no pack. */
export function unpackChanges(packed: Uint8Array): WorkspaceChange[] {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const tableEnd = headBytes + buffer.readUInt32BE(0);
  const table = Table.parse(JSON.parse(buffer.toString('utf8', headBytes, tableEnd)));
  let at = tableEnd + lineEnd.length;
  const unpack = (entry: PackedEntry | null): ChangedEntry | null => {
    if (entry?.kind !== 'file') return entry;
    const bytes = buffer.subarray(at, at + entry.length);
    at += entry.length + lineEnd.length;
    return { kind: 'file', mode: entry.mode, bytes };
  };
  // Before and after of one path lie side by side, in this order.
  return table.map(({ path, before, after }) => ({ path, before: unpack(before), after: unpack(after) }));
}

function toPacked(entry: ChangedEntry | null): PackedEntry | null {
  return entry?.kind === 'file' ? { kind: 'file', mode: entry.mode, length: entry.bytes.length } : entry;
}

const toContent = (entry: ChangedEntry | null): Uint8Array[] => (entry?.kind === 'file' ? [entry.bytes, lineEnd] : []);
