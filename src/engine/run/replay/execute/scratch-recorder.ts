// What is run again is recorded here and nowhere else: folded into a state of its own, and kept only to be compared.
import type { BlobRef } from '../../../../shared/blob-ref.ts';
import type { DriverEventBody } from '../../../../shared/event.ts';
import { applyEvent } from '../../../../shared/fold-run.ts';
import type { BlobHash } from '../../../../shared/id.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import type { NewBlob } from '../../../journal/journal.ts';
import type { Recorder } from '../../recorder.ts';

export interface ScratchRecorder extends Recorder {
  readonly bodies: readonly DriverEventBody[];
  /** The original of a content that one of them names. */
  readContent(blob: BlobRef): Uint8Array;
}

/** `state` is changed by what is recorded. */
export function createScratchRecorder(state: RunState): ScratchRecorder {
  const bodies: DriverEventBody[] = [];
  const contents = new Map<BlobHash, NewBlob>();
  return {
    state,
    durableSeq: state.seq,
    bodies,
    emit(place, body, blobs = []) {
      bodies.push(body);
      for (const blob of blobs) contents.set(blob.ref.hash, blob);
      applyEvent(state, { runId: state.runId, ...place, seq: state.seq + 1, at: state.lastAt, ...body });
    },
    commit: async () => undefined,
    isHeld: () => true,
    catchUp: () => undefined,
    readContent({ hash }) {
      const blob = contents.get(hash);
      if (blob === undefined) throw new RangeError(`No content ${hash} was recorded`);
      return blob.original ?? blob.readable;
    },
  };
}
