// What an agent and its run know of the files of the workspace: what the agent saw last, who wrote since, and what that was.
import { worktreeOf } from '../../shared/agent-tree.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { FileHistory } from '../tool/tool.ts';
import type { CallPorts } from './driver-ports.ts';

export function toFileHistory({ recorder, reader, redactor }: CallPorts, place: EventPlace): FileHistory {
  const { state } = recorder;
  const agent = agentOf(state, place);
  const { files: seen } = agent;
  const { writers } = worktreeOf(state, agent) ?? state;
  return {
    lastSeen: (path) => findOwn(seen, path),
    lastWriter(path) {
      const writer = findOwn(writers, path);
      return writer === undefined ? null : { ...writer, isOwn: writer.agentId === place.agentId };
    },
    contentOf: (hash) => readIfKept(reader, hash),
    holdsSecret: (text) => redactor.redact(text).found > 0,
  };
}

/** A file may be named `constructor`. */
const findOwn = <Value>(record: Readonly<Record<string, Value>>, path: string): Value | undefined =>
  Object.hasOwn(record, path) ? record[path] : undefined;

/** Only what some call has written or written over is in the journal. */
function readIfKept(reader: CallPorts['reader'], hash: BlobHash): Uint8Array | null {
  try {
    return reader.readBlob(hash);
  } catch (error) {
    if (isEngineError(error) && error.code === 'blob-missing') return null;
    throw error;
  }
}
