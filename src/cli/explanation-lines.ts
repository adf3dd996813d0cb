import type { Explanation } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { describeDecider } from './describe-decider.ts';

/** A verdict as people read it; its parts where there is more than one. */
export function toExplanationLines({ effect, because, wouldChange, parts, ...decider }: Explanation): string[] {
  return [
    `${effect}: ${toVisible(because)}`,
    `  decided by    ${describeDecider(decider)}`,
    ...(wouldChange === null ? [] : [`  would change  ${toVisible(wouldChange)}`]),
    ...(parts.length > 1 ? parts.map(toPartLine) : []),
  ];
}

const toPartLine = ({ act, verdict }: Explanation['parts'][number]): string =>
  `  ${verdict.effect.padEnd(5)}  ${act.kind.padEnd(5)}  ${toVisible(act.target)}  (${describeDecider(verdict)})`;
