// What a contract says about paths, as a scope of the policy: whatever it protects stays as it is, whoever would allow a
// change of it.
import { EngineError } from '../../shared/engine-error.ts';
import type { PolicyScope } from './compose-policy.ts';
import { findPatternProblem } from './find-pattern-problem.ts';

/** The scope of a contract that protects something; none for another. Throws `contract-invalid` for an unusable pattern. */
export function toContractScopes(protect: readonly string[]): PolicyScope[] {
  const problems = protect.flatMap(toProblems);
  if (problems.length > 0) {
    throw new EngineError('contract-invalid', ['The contract cannot be used:', ...problems].join('\n  '), {
      remedy: 'Correct the patterns; they are written as in rules of a policy.',
    });
  }
  if (protect.length === 0) return [];
  const rules = protect.map((pattern) => ({ act: 'write', effect: 'deny', pattern, reason }) as const);
  return [{ origin: 'contract', file: null, policy: { layers: [{ name: 'contract', rules }] } }];
}

const reason = 'the contract protects it';

function toProblems(pattern: string, position: number): string[] {
  const problem = pattern.startsWith('/') ? notRelative : findPatternProblem('write', pattern);
  return problem === null ? [] : [`protect[${position}]: ${JSON.stringify(pattern)} ${problem}`];
}

const notRelative = 'is an absolute path: name what lies in the workspace from there on, as in `tests/*`';
