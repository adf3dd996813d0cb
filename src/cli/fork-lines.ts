// A fork as people read it: where it goes on, which files are not as they were, and how to drive it.
import type { ForkedRun } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

const maxLines = 20;

export function toForkLines({ runId, from, step, workspace, files, untold, spent, messages }: ForkedRun): string[] {
  const missed = files.filter(({ fate }) => !done.has(fate));
  const tokens = spent.inputTokens + spent.outputTokens;
  const money = spent.costUsd === null ? '' : `, $${spent.costUsd.toFixed(4)}`;
  return [
    `${runId}  forked from step ${step} of ${from}`,
    `  works in   ${toVisible(workspace)}`,
    `  begins     with ${counted(messages, 'message')} of the original, and at no cost: that had spent ${tokens} tokens${money}`,
    ...missed
      .slice(0, maxLines)
      .map(({ path, fate, because }) => `  not as then  ${toVisible(path)}: ${because ?? fate}`),
    ...(missed.length > maxLines ? [`  and ${missed.length - maxLines} more`] : []),
    ...(untold === 0
      ? []
      : [`  not known  ${counted(untold, 'further change')} of processes, none of which was put back`]),
    `  go on      io-studio resume ${runId}`,
  ];
}

const done: ReadonlySet<string> = new Set(['restored', 'removed', 'already']);
