// What a replay has found, as people read it.
import type { Replay } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

export function toReplayLines({
  runId,
  events,
  requests,
  unnamed,
  verdicts,
  calls,
  sealed,
  divergence,
}: Replay): string[] {
  const derived = `${counted(requests, 'request')}, ${counted(verdicts, 'verdict')} and ${counted(calls, 'call')}`;
  const notes = [
    ...(unnamed === 0 ? [] : [`  of ${counted(unnamed, 'request')} the journal does not say what was asked`]),
    ...(sealed === 0
      ? []
      : [`  ${counted(sealed, 'original')} could not be looked at: sealed with a key of another home, or left there`]),
  ];
  if (divergence === null) return [`${runId}  ${counted(events, 'event')} replayed: ${derived} follow`, ...notes];
  const { seq, agentId, step, call, type, what, expected, got } = divergence;
  return [
    `${runId}  diverges at event ${seq}, after ${derived} that follow`,
    `  where      ${type} of ${agentId}, step ${step}${call === null ? '' : `, call ${call}`}: ${toVisible(what)}`,
    `  expected   ${toVisible(expected)}`,
    `  got        ${toVisible(got)}`,
    ...notes,
  ];
}
