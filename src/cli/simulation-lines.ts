// What another policy would have decided, as people read it: the first difference of each call, and whether it would have
// come to that.
import type { Simulation } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';
import { describeDecider } from './describe-decider.ts';

export function toSimulationLines({ acts, calls, differences, stricter, looser }: Simulation): string[] {
  return [
    `${counted(acts, 'act')} of ${counted(calls, 'call')}: ${stricter} would be judged more strictly, ${looser} less`,
    ...differences.flatMap(toDifferenceLines),
    ...(differences.some(({ conditional }) => conditional)
      ? ['', 'Those marked "perhaps" follow a difference: the agent might not have come to them.']
      : []),
  ];
}

function toDifferenceLines({
  step,
  call,
  act,
  target,
  was,
  would,
  conditional,
}: Simulation['differences'][number]): string[] {
  const place = `step ${step}, call ${call}${conditional ? ', perhaps' : ''}`;
  return [
    `  ${act} ${toVisible(target)}  (${place})`,
    `    was    ${was.effect}, ${describeDecider(was)}`,
    `    would  ${would.effect}, ${describeDecider(would)}`,
  ];
}
