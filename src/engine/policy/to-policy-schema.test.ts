import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toPolicySchema } from './to-policy-schema.ts';

const shipped = new URL('../../../resources/policy.schema.json', import.meta.url);
const rule = { act: 'write', effect: 'deny', pattern: 'secrets/*' };

describe('the shipped policy schema', () => {
  it('is what `node scripts/generate-schemas.ts` writes today', () => {
    expect(readFileSync(shipped, 'utf8')).toBe(toPolicySchema());
  });

  it.each([
    [true, {}],
    [true, { layers: [{ name: 'app', rules: [rule] }], defaults: { read: 'allow', net: 'deny' } }],
    [true, { layers: [{ name: 'app', rules: [{ ...rule, except: ['secrets/a'], when: 'tainted', reason: 'why' }] }] }],
    [false, { layers: [{ name: 'app', rules: [{ ...rule, effects: 'deny' }] }] }],
    [false, { layers: [{ name: 'app', rules: [{ ...rule, act: 'delete' }] }] }],
    [false, { layers: [{ name: 'app', rules: [{ ...rule, isolation: 'strong' }] }] }],
    [false, { default: { read: 'allow' } }],
    [false, { defaults: { delete: 'allow' } }],
  ])('answers %j for %j', (valid, input) => {
    expect(new Ajv2020({ strict: false }).validate(JSON.parse(toPolicySchema()), input)).toBe(valid);
  });
});
