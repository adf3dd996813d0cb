// The JSON Schema of a policy file, for editors. Generated, so it cannot drift from what is really parsed.
import { z } from 'zod';
import { PolicyFile } from './policy-file.ts';

/** The text of `resources/policy.schema.json`. */
export function toPolicySchema(): string {
  return `${JSON.stringify({ title: 'io-studio policy', ...z.toJSONSchema(PolicyFile, { io: 'input' }) }, null, 2)}\n`;
}
