// Writes the JSON Schemas that are shipped in resources/. A unit test fails while a committed one is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toContractSchema } from '../src/engine/contract/to-contract-schema.ts';
import { toPolicySchema } from '../src/engine/policy/to-policy-schema.ts';

const resources = join(import.meta.dirname, '..', 'resources');

write('task-contract.schema.json', toContractSchema());
write('policy.schema.json', toPolicySchema());

function write(name: string, text: string): void {
  const target = join(resources, name);
  writeFileSync(target, text);
  process.stdout.write(`${target}\n`);
}
