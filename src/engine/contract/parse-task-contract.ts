// The door of the engine for contracts: a run never starts with one that did not parse whole.
import { EngineError } from '../../shared/engine-error.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import { formatContractProblems, parseContract } from './parse-contract.ts';

/** Parses a contract that came from outside. Throws `contract-invalid` with every problem and its path. */
export function parseTaskContract(input: unknown): TaskContract {
  const parsed = parseContract(input);
  if (parsed.kind === 'ok') return parsed.contract;
  throw new EngineError('contract-invalid', formatContractProblems(parsed.problems), {
    remedy: 'Correct the contract; its schema is resources/task-contract.schema.json.',
  });
}
