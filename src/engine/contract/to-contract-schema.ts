// The contract's JSON Schema, for editors and for callers in other languages. Generated, so it cannot drift from what is
// really parsed.
import { z } from 'zod';
import { TaskContract } from '../../shared/task-contract.ts';

/** The text of `resources/task-contract.schema.json`: what a caller may write, defaults included. */
export function toContractSchema(): string {
  const schema = z.toJSONSchema(TaskContract, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A reserved name: JSON has no `undefined`, so nothing may stand there.
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {};
    },
  });
  return `${JSON.stringify({ title: 'io-studio task contract', ...schema }, null, 2)}\n`;
}
