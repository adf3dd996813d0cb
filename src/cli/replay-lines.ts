// What a replay has found, as people read it.
import type { Execution, Replay } from '../engine/index.ts';
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
  execution,
}: Replay): string[] {
  const derived = `${counted(requests, 'request')}, ${counted(verdicts, 'verdict')} and ${counted(calls, 'call')}`;
  const notes = [
    ...(unnamed === 0 ? [] : [`  of ${counted(unnamed, 'request')} the journal does not say what was asked`]),
    ...(sealed === 0
      ? []
      : [`  ${counted(sealed, 'original')} could not be looked at: sealed with a key of another home, or left there`]),
    ...(execution === null ? [] : toExecutionLines(execution)),
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

const maxPaths = 20;

function toExecutionLines({ calls, checks, unrunCalls, unrun, missed, untold }: Execution): string[] {
  const more = unrunCalls - unrun.length;
  return [
    `  run again  ${counted(calls, 'call')} and ${counted(checks, 'check')} came to the same, in a copy that is gone now`,
    ...unrun.map(
      ({ agentId, step, call, tool, target, because }) =>
        `  taken      ${toVisible(`${tool} ${target}`)} (${agentId}, step ${step}, call ${call}) as recorded: ${because}`,
    ),
    ...(more > 0 ? [`  taken      ${counted(more, 'call')} more as recorded`] : []),
    ...missed
      .slice(0, maxPaths)
      .map(({ path, fate, because }) => `  not as then  ${toVisible(path)}: ${because ?? fate}`),
    ...(missed.length > maxPaths ? [`  and ${missed.length - maxPaths} more`] : []),
    ...(untold === 0
      ? []
      : [`  not known  ${counted(untold, 'further change')} of processes, none of which was put back`]),
  ];
}
