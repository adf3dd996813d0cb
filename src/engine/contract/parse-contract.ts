// Turns what a caller wrote into a task contract, or into every problem it has: a person should never have to fix a
// contract one message at a time.
import type { z } from 'zod';
import { TaskContract } from '../../shared/task-contract.ts';

export interface ContractProblem {
  /** Where, as one would write it in JavaScript: `verification.of[1].file`; empty for the contract as a whole. */
  readonly path: string;
  readonly message: string;
}

export type ParsedContract =
  | { readonly kind: 'ok'; readonly contract: TaskContract }
  | { readonly kind: 'invalid'; readonly problems: readonly ContractProblem[] };

/** Parses a contract; every default is filled in, and nothing unknown passes. */
export function parseContract(input: unknown): ParsedContract {
  const parsed = TaskContract.safeParse(input);
  if (parsed.success) return { kind: 'ok', contract: parsed.data };
  return { kind: 'invalid', problems: parsed.error.issues.flatMap(toProblems) };
}

/** All problems as one message, a line each. */
export function formatContractProblems(problems: readonly ContractProblem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.map(({ path, message }) => `  ${path === '' ? 'the contract' : path}: ${message}`);
  return [`The contract has ${count}:`, ...lines].join('\n');
}

/** Unknown keys come as one issue of their parent; each is a problem with a path of its own. */
function toProblems(issue: z.core.$ZodIssue): ContractProblem[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: toPath(issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: toPath([...issue.path, key]), message: 'is not a key of a contract' }));
}

function toPath(segments: readonly PropertyKey[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    const name = String(segment);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}
