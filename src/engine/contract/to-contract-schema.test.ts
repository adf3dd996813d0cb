import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toContractSchema } from './to-contract-schema.ts';

const shipped = new URL('../../../resources/task-contract.schema.json', import.meta.url);

describe('the shipped contract schema', () => {
  it('is what `node scripts/generate-schemas.ts` writes today', () => {
    expect(readFileSync(shipped, 'utf8')).toBe(toContractSchema());
  });

  it.each([
    [true, { goal: 'g', workspace: '/w' }],
    [true, { goal: 'g', workspace: '/w', verification: { kind: 'command', argv: ['true'] }, budgets: { steps: null } }],
    [false, { goal: 'g', workspace: '/w', budgets: { step: 1 } }],
    [false, { goal: 'g', workspace: '/w', plan: {} }],
    [false, { workspace: '/w' }],
  ])('answers %j for %j', (valid, input) => {
    expect(new Ajv2020({ strict: false }).validate(JSON.parse(toContractSchema()), input)).toBe(valid);
  });
});
