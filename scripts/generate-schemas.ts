// Writes the JSON Schemas that are shipped in resources/. A unit test fails while a committed one is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toContractSchema } from '../src/engine/contract/to-contract-schema.ts';

const target = join(import.meta.dirname, '..', 'resources', 'task-contract.schema.json');
writeFileSync(target, toContractSchema());
process.stdout.write(`${target}\n`);
