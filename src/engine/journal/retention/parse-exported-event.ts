// An event out of a file that anybody may have written: held against the whole schema, and against what the engine itself
// would have written there.
import { z } from 'zod';
import { EngineError } from '../../../shared/engine-error.ts';
import { EventBody, type JournalEvent } from '../../../shared/event.ts';
import { AgentId, type RunId } from '../../../shared/id.ts';
import { eventVersion } from '../event-text.ts';
import { exportInvalid } from './export-format.ts';
import { isInsideWorkspace } from './is-inside-workspace.ts';
import { toNamedPaths } from './to-named-paths.ts';

export interface ExportedPlace {
  readonly runId: RunId;
  readonly seq: number;
  readonly file: string;
}

const Envelope = z.looseObject({
  agentId: AgentId,
  step: z.int().nonnegative(),
  seq: z.int().positive(),
  at: z.int().nonnegative(),
  version: z.int().positive().optional(),
  type: z.string(),
});

const knownTypes: ReadonlySet<string> = new Set(EventBody.options.map((option) => option.shape.type.value));

/** Throws `export-invalid`, and `store-newer` for what a newer version wrote. */
export function parseExportedEvent(text: string, { runId, seq, file }: ExportedPlace): JournalEvent {
  const envelope = Envelope.safeParse(parseJson(text, seq, file));
  if (!envelope.success) throw exportInvalid(file, `event ${seq} is not one`);
  const { agentId, step, seq: ownSeq, at, version = 1, ...rest } = envelope.data;
  if (version > eventVersion || !knownTypes.has(rest.type)) throw newerEvent(file, seq, rest.type, version);
  if (ownSeq !== seq) throw exportInvalid(file, `event ${seq} says that it is event ${ownSeq}`);
  const body = EventBody.safeParse(rest);
  if (!body.success) throw exportInvalid(file, `event ${seq}, a ${rest.type}, does not have its shape`);
  const stray = toNamedPaths(body.data).find((path) => !isInsideWorkspace(path));
  if (stray !== undefined) {
    throw exportInvalid(file, `event ${seq} names ${JSON.stringify(stray)}, which leads out of a workspace`);
  }
  return { ...body.data, runId, agentId, seq, step, at };
}

function parseJson(text: string, seq: number, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw exportInvalid(file, `event ${seq} is not JSON`, cause);
  }
}

const newerEvent = (file: string, seq: number, type: string, version: number): EngineError =>
  new EngineError(
    'store-newer',
    `Event ${seq} of ${file} is a ${JSON.stringify(type.slice(0, 80))} of version ${version}, which this version does not know.`,
    { remedy: 'Import it with the version of io-studio that wrote it, or a newer one.' },
  );
