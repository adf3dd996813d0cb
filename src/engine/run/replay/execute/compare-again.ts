// What came of something that was run again, against what was recorded of it. The scratch copy goes by the name of the
// original; what is of the moment alone (times, digests, what enclosed it) does not count.
import type { BlobRef } from '../../../../shared/blob-ref.ts';
import type { DriverEventBody, JournalEvent } from '../../../../shared/event.ts';
import { hashBytes } from '../../../journal/create-blob.ts';
import type { JournalReader } from '../../../journal/journal.ts';
import type { ChangedEntry } from '../../../sandbox/sandbox.ts';
import type { Tool } from '../../../tool/tool.ts';
import { unpackChanges } from '../../pack-changes.ts';
import { compare, type Mismatch, toWords } from '../divergence.ts';
import type { ScratchPaths } from './scratch-paths.ts';
import type { ScratchRecorder } from './scratch-recorder.ts';

export interface AgainPorts {
  readonly reader: Pick<JournalReader, 'readOriginal'>;
  readonly paths: ScratchPaths;
}

type Told = DriverEventBody | JournalEvent;

/** What was run again. */
export interface Subject {
  /** As people know it. */
  readonly name: string;
  /** What its tool keeps for itself: there git writes down when it was, and names things by it. */
  readonly owns?: Tool['owns'];
}

/** Null for `body`: nothing; null for `recorded`: nothing more. */
export function compareAgain(
  { reader, paths }: AgainPorts,
  { name, owns }: Subject,
  { body, recorder }: { readonly body: Told | null; readonly recorder: ScratchRecorder },
  recorded: Told | null,
): Mismatch | null {
  const now = body === null ? [] : toParts(body, { read: (blob) => recorder.readContent(blob), paths, owns });
  const then =
    recorded === null ? [] : toParts(recorded, { read: ({ hash }) => reader.readOriginal(hash), paths, owns });
  if (body === null || body.type !== recorded?.type) {
    return compare(`what ${name} comes to`, toText(now), toText(then));
  }
  for (const [place, [part, text]] of now.entries()) {
    const mismatch = compare(`${part} of ${name}`, text, then[place]?.[1] ?? '');
    if (mismatch !== null) return mismatch;
  }
  return null;
}

type Part = readonly [name: string, text: string];

interface Reading {
  readonly read: (blob: BlobRef) => Uint8Array;
  readonly paths: ScratchPaths;
  readonly owns: Subject['owns'];
}

const toText = (parts: readonly Part[]): string =>
  parts.length === 0 ? 'nothing' : parts.map(([name, text]) => `${name}: ${text}`).join('; ');

/** The first part tells the most. */
function toParts(told: Told, reading: Reading): Part[] {
  const { read, paths, owns } = reading;
  const readText = (blob: BlobRef): string => {
    const text = paths.toOriginal(new TextDecoder().decode(read(blob)));
    return owns === undefined ? text : text.replaceAll(objectId, '(id)');
  };
  const toPart = (name: string, text: string): Part => [name, paths.toOriginal(text)];
  switch (told.type) {
    case 'act-judged': {
      const { act, target, effect, rule, layer, tainted = false } = told;
      return [toPart('verdict', `${act} ${target}: ${toWords({ effect, rule, layer, tainted })}`)];
    }
    case 'approval-request':
      return [toPart('question', `${told.act} ${told.target}: ${told.because}`)];
    case 'approval-lapse':
      return [toPart('lapse of the answer', told.because)];
    case 'call-start': {
      const { tool, risky, approval = null, change } = told;
      const before = change?.before?.hash ?? null;
      return [
        toPart('start', toWords({ tool, risky, approval })),
        ...(change === undefined
          ? []
          : [toPart('change', toWords({ path: change.path, before, after: change.after?.hash ?? null }))]),
      ];
    }
    case 'sandbox-exit': {
      const { end, code = null, signal = null } = told;
      return [toPart('end', toWords({ end, code, signal }))];
    }
    case 'call-stage': {
      const { status, result, changes } = told;
      return [['result', readText(result)], toPart('status', status), ['changes', toChanges(read(changes), reading)]];
    }
    case 'call-finish': {
      const { status, result, changed, paths: made = [], seen } = told;
      return [
        ['result', readText(result)],
        toPart('status', status),
        toPart('changed files', [String(changed), ...made].join('\n')),
        toPart('seen files', seen.map(({ path, hash }) => `${path} ${hash}`).join('\n')),
      ];
    }
    case 'check-finish':
      return [toPart('result', told.result), toPart('summary', told.summary), ['evidence', readText(told.evidence)]];
    default:
      return [toPart('event', told.type)];
  }
}

/** A commit is named by what it holds and by when it was made. */
const objectId = /\b[0-9a-f]{7,64}\b/g;

const toChanges = (packed: Uint8Array, { paths, owns }: Reading): string =>
  unpackChanges(packed)
    .filter((change) => owns?.(change) !== true)
    .map(({ path, before, after }) => `${path}: ${toEntry(before, paths)}, then ${toEntry(after, paths)}`)
    .join('\n');

function toEntry(entry: ChangedEntry | null, paths: ScratchPaths): string {
  switch (entry?.kind) {
    case undefined:
      return 'nothing';
    case 'file':
      return `file ${entry.mode.toString(8)} ${hashBytes(paths.toOriginalBytes(entry.bytes))}`;
    case 'directory':
      return `directory ${entry.mode.toString(8)}`;
    case 'link':
      return `link ${paths.toOriginal(entry.target)}`;
  }
}
