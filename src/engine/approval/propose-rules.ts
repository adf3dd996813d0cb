// The rules a person is offered with a question: narrow, and each of them would have answered it. Offering too little costs
// one more question; offering too much costs what the questions are there for.
import { posix } from 'node:path';
import type { ExecAct, JudgedAct, PathAct, ResolvedAct, Verdict } from '../../shared/act.ts';
import type { RequestDetails } from '../../shared/approval.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { Circumstances } from '../policy/policy.ts';
import { findRuleFault } from './find-rule-fault.ts';
import { harmlessPrograms } from './harmless-programs.ts';
import { createRuleReach } from './rule-reach.ts';

type Proposal = RequestDetails['proposals'][number];

const maxProposals = 20;

/** Rules for the acts that are asked about, for each of them from narrow to wide. */
export function proposeRules(acts: readonly JudgedAct[], { isTainted }: Pick<Circumstances, 'isTainted'>): Proposal[] {
  // What an agent was told by strangers, or nobody can read, must not become a rule by a hasty answer.
  if (isTainted || acts.some(({ act }) => act.kind === 'exec' && act.opaque !== null)) return [];
  const proposals = new Map<string, Proposal>();
  for (const judged of acts.filter(({ verdict }) => verdict.effect === 'ask')) {
    for (const proposal of toProposals(judged)) proposals.set(`${proposal.act} ${proposal.pattern}`, proposal);
  }
  return [...proposals.values()].slice(0, maxProposals);
}

function toProposals({ act, verdict }: JudgedAct): Proposal[] {
  const proposals = toPatterns(act, verdict).map((pattern): Proposal => ({ act: act.kind, pattern }));
  return proposals.filter((proposal) => {
    const reach = createRuleReach({ ...proposal, effect: 'allow' });
    return reach.wouldAllow(act, verdict) && findRuleFault(proposal) === null;
  });
}

/** A star or question mark of the target would mean more in a pattern than itself, and the language knows no escape. */
function toPatterns(act: ResolvedAct, { layer }: Verdict): string[] {
  if (/[*?]/.test(act.target)) return [];
  switch (act.kind) {
    case 'read':
    case 'write':
      return toPathPatterns(act, layer);
    case 'exec':
      return toExecPatterns(act);
    case 'net':
      return [act.target, act.target.slice(0, act.target.lastIndexOf(':'))];
    default:
      return assertNever(act);
  }
}

function toPathPatterns({ target, outside }: PathAct, layer: string): string[] {
  const directory = posix.dirname(target);
  // A name alone would stand for every file of that name.
  if (directory === '.') return [`./${target}`];
  return outside || layer === 'protected' ? [target] : [target, `${directory}/*`];
}

function toExecPatterns({ target, program }: ExecAct): string[] {
  const name = program === null ? '' : posix.basename(program.written);
  const isHarmless = program?.isSystem === true && harmlessPrograms.has(name);
  // One word alone would stand for the program with whatever arguments.
  return [...(target.includes(' ') ? [target] : []), ...(isHarmless ? [name] : [])];
}
