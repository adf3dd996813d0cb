// What came of an answer: whether it counts, and what a remembered rule means from now on.
import type { Decided } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

export function toDecidedLines({ request, decision, remembered }: Decided): string[] {
  const lines = [`${decisionWords[decision]} ${toVisible(request)}`];
  if (decision === 'defer')
    return [...lines, `  anybody may answer it: io-studio decide ${toVisible(request)} approve|deny`];
  if (remembered === null) return lines;
  const { rule, scope, file, preview, overruledBy } = remembered;
  const place = file === null ? scope : `${scope}, ${toVisible(file)}`;
  return [
    ...lines,
    `  remembered (${place}): ${rule.effect} ${rule.act} "${toVisible(rule.pattern)}"`,
    ...(overruledBy === null ? [] : [`  it changes nothing: "${toVisible(overruledBy)}" in the same file is stricter`]),
    `  it matches ${counted(preview.matchedCount, 'earlier act')}, and newly allows ${preview.newlyAllowed} of them`,
    ...preview.matched.map(({ act, target, effect }) => `    ${effect}  ${act} ${toVisible(target)}`),
  ];
}

export const decisionWords = { approve: 'approved', deny: 'denied', defer: 'deferred' } as const;
