// Says a criterion in words, for the prompt and for people. What is said is what the check does, no more.
import { assertNever } from '../../shared/assert-never.ts';
import type { LeafVerification, Verification } from '../../shared/verification.ts';

/** One sentence, or for `all` one sentence and a line for each part. */
export function describeVerification(verification: Verification): string {
  switch (verification.kind) {
    case 'all':
      return ['Done when all of these hold, in this order:', ...verification.of.map(toListItem)].join('\n');
    case 'none':
      return 'Nothing is checked: done when you say so.';
    default:
      return `Done when ${describeLeaf(verification)}`;
  }
}

function toListItem(part: LeafVerification, position: number): string {
  return `${position + 1}. ${describeLeaf(part)}`;
}

function describeLeaf(verification: LeafVerification): string {
  switch (verification.kind) {
    case 'fileContains':
      return `the file ${quote(verification.file)} contains the text ${quote(verification.text)}`;
    case 'fileEquals':
      return `the content of the file ${quote(verification.file)} is exactly ${quote(verification.text)}`;
    case 'command':
      return `the command ${verification.argv.map(quote).join(' ')} exits with ${verification.expectExit}`;
    case 'matchesSchema':
      return `the file ${quote(verification.file)} holds JSON that matches the schema ${JSON.stringify(verification.schema)}`;
    case 'rustCompiles':
      return `each of these files compiles as a Rust library of its own: ${toList(verification.files)}`;
    case 'rustTest':
      return `these Rust tests pass, in one crate with ${toList(verification.files)}:\n${verification.testSource}`;
    case 'nodeTest':
      return `these tests of node:test pass, beside a copy of ${toList(verification.files)} and nothing else:\n${verification.testSource}`;
    case 'pythonTest':
      return `these tests of Python's unittest pass, beside a copy of ${toList(verification.files)} and nothing else:\n${verification.testSource}`;
    case 'goTest':
      return `these Go tests pass, in the package of ${toList(verification.files)} and beside nothing else:\n${verification.testSource}`;
    default:
      return assertNever(verification);
  }
}

function toList(files: readonly string[]): string {
  return files.map(quote).join(', ');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
