import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePolicyFile } from '../../src/engine/policy/parse-policy-file.ts';

const examples = join(import.meta.dirname, '../../examples');
const policies = readdirSync(examples).filter((name) => name.endsWith('.policy.jsonc'));

/** The JSON of every block that a page marks as a policy by holding layers. */
function readPolicyBlocks(page: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  return [...text.matchAll(/```jsonc?\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.includes('"layers"') ? [block] : [],
  );
}

describe('the policies that are shown as examples', () => {
  it.each(policies)('%s is one', (name) => {
    expect(parsePolicyFile(readFileSync(join(examples, name), 'utf8'), name).layers).not.toEqual([]);
  });

  it('of the page on permissions are ones', () => {
    const blocks = readPolicyBlocks('docs/permissions.md');
    expect(blocks.map((block) => parsePolicyFile(block, 'docs/permissions.md').layers?.length)).toEqual([1]);
  });
});
