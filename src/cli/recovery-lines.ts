// An interrupted call as people read it: what was started, why nobody can know, and what they may decide.
import type { Recovered, RecoveryRequest } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';

export function toRecoveryLines(recovery: RecoveryRequest): string[] {
  const { request, runId, title, agentId, step, tool, target, because, startedAt, answer } = recovery;
  return [
    `${toVisible(request)}  ${toVisible(`${tool} ${target}`.trimEnd())}`,
    ...field('run', `${title}  (${runId})`),
    ...field('agent', `${agentId}, step ${step}`),
    ...field('started', new Date(startedAt).toISOString()),
    ...field('because', because),
    ...field('arguments', recovery.arguments),
    ...(answer === null
      ? field('decide', `io-studio recover ${request} retry|completed|abort`)
      : field('decided', `${answer.decision} by ${answer.actor}, ${new Date(answer.at).toISOString()}`)),
  ];
}

/** What came of a decision, for whoever does not drive the run. */
export function toRecoveredLines(recovered: Recovered): string[] {
  const { runId, decision } = recovered;
  return [...toDecisionLines(recovered), ...(decision === 'defer' ? [] : [`  go on:    io-studio resume ${runId}`])];
}

/** The same where the run goes on by itself. */
export function toDecisionLines({ request, decision }: Recovered): string[] {
  const line = `${recoveryWords[decision]}: ${toVisible(request)}`;
  if (decision !== 'defer') return [line];
  return [line, `  anybody may decide: io-studio recover ${toVisible(request)} retry|completed|abort`];
}

export const recoveryWords = {
  retry: 'to be started once more',
  completed: 'taken as carried out',
  abort: 'not carried out again',
  defer: 'left undecided',
} as const;

const field = (label: string, text: string): string[] => [`  ${label.padEnd(10)}  ${toVisible(text)}`];
