// Makes the change that an edit came to, over nothing but the content that the edit began with.
import type { EventPlace } from '../../shared/event.ts';
import { describeStale } from '../tool/describe-stale.ts';
import type { PreparedCall, ToolResult } from '../tool/tool.ts';
import { failed } from '../tool/tool-result.ts';
import type { CallPorts } from './driver-ports.ts';
import { toFileHistory } from './to-file-history.ts';

export type Edit = Extract<PreparedCall, { kind: 'change' }>;

export async function makeEdit(
  ports: CallPorts,
  place: EventPlace,
  edit: Edit,
  permitted: 'allow' | 'ask',
): Promise<ToolResult> {
  const { guard, recorder, stanceOf } = ports;
  const { path, before, after, result } = edit;
  const stance = stanceOf(recorder.state, place.agentId);
  const replaced = await guard.replace(path, { before: before?.hash ?? null, after, permitted }, stance);
  switch (replaced.kind) {
    case 'replaced':
      return result;
    case 'stale':
      return await describeOvertaken(ports, place, edit, permitted);
    case 'unpermitted':
      return failed(`Nothing was written: ${replaced.because}`);
    case 'unwritable':
      return failed(replaced.reason);
  }
}

/** Somebody else was quicker, between the last look and the write. */
async function describeOvertaken(
  ports: CallPorts,
  place: EventPlace,
  { path, before }: Edit,
  permitted: 'allow' | 'ask',
): Promise<ToolResult> {
  const { guard, recorder, stanceOf } = ports;
  const text = `${path} was changed by someone else in this moment; nothing was written. Read it again first.`;
  const read = await guard.files(stanceOf(recorder.state, place.agentId), permitted).read(path, maxComparedBytes);
  if (read.kind !== 'file' || before === null) return failed(text);
  const history = { ...toFileHistory(ports, place), lastSeen: () => before.hash };
  return (await describeStale(read.file, history)) ?? failed(text);
}

const maxComparedBytes = 256 * 1024;
