// What a process may do in the workspace, and what became of the workspace until it ended, in words for whoever started it.
import type { ProcessChange } from '../../guard/guard.ts';
import { count, toOneLine } from '../tool-result.ts';
import type { RunningProcess } from './processes.ts';

/** What was settled at its start; nothing for one that never ran. */
export function describeWorkspace({ workspace, end }: RunningProcess): string[] {
  if (workspace === null || end?.kind === 'refused') return [];
  const { access, because, policyEnforcement } = workspace;
  if (access === 'read') return [`[it cannot write to the workspace: ${because}]`];
  const { masked, checkedAfter, uncovered } = policyEnforcement;
  return [
    `[it writes to the workspace itself; ${count(masked, 'path')} in it ${masked === 1 ? 'is' : 'are'} shut to it, and ` +
      `${checkedAfter} are compared when it has ended: what may not be there by then is put aside]`,
    ...toUncoveredLines(uncovered),
  ];
}

/** What was found when it had ended; nothing before that, and where nothing is to be told. */
export function describeLeft({ end }: RunningProcess): string[] {
  if (end?.kind !== 'ran' || end.workspace === undefined) return [];
  const { changes, untold, shelf, policyEnforcement } = end.workspace;
  const told = changes.slice(0, maxLines).map(toLine);
  const more = untold + changes.length - told.length;
  return [
    ...(told.length === 0
      ? []
      : ['Different in the workspace since it began, by its doing or by that of others:', ...told]),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(shelf === null ? [] : [`[what was put aside lies in ${shelf}, where only people reach it]`]),
    ...toUncoveredLines(policyEnforcement.uncovered),
  ];
}

const maxLines = 50;

function toLine({ path, change, became, because }: ProcessChange): string {
  const reason = because === null ? '' : `${fates[became]}: ${because}`;
  return `- ${change} ${toOneLine(path)}${reason}`;
}

const fates: Readonly<Record<ProcessChange['became'], string>> = {
  kept: '',
  aside: ', and put aside',
  restored: ', and made again what it was',
  left: ', which it may not be',
};

function toUncoveredLines(uncovered: readonly string[]): string[] {
  if (uncovered.length === 0) return [];
  const shown = uncovered.slice(0, maxLines).map((each) => `- ${toOneLine(each)}`);
  const more = uncovered.length - shown.length;
  return ['Not kept from it:', ...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
}
