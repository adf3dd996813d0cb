// Reads a policy file: JSON in which comments and trailing commas are welcome, and nothing unknown passes. Every problem is
// told with its line, as a policy that was half understood would be worse than none.
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import type { z } from 'zod';
import { EngineError } from '../../shared/engine-error.ts';
import { findFileProblems } from './find-file-problems.ts';
import { parseShape } from './parse-shape.ts';
import { FileLayer, FileMount, FileRule, FileSandbox, FileStore, PolicyFile } from './policy-file.ts';
import type { PolicyProblem } from './policy-problem.ts';
import { readJsoncTree } from './read-jsonc-tree.ts';

/** The policy in `text`. Throws `policy-invalid` with each problem's line, key and what may stand there instead. */
export function parsePolicyFile(text: string, file: string): PolicyFile {
  const tree = readJsoncTree(text);
  if (tree.kind === 'unreadable') throw toError(file, [`line ${toLine(text, tree.offset)}: the file ${tree.reason}`]);
  const parsed = parseShape(PolicyFile, getNodeValue(tree.root));
  if (parsed === null) throw toError(file, ['the file holds too many faults to tell one from another']);
  const problems = parsed.success ? findFileProblems(parsed.data) : parsed.error.issues.flatMap(toProblems);
  const all = [...tree.problems, ...problems];
  if (parsed.success && all.length === 0) return parsed.data;
  const toPlace = (path: PolicyProblem['path']) => `line ${toLine(text, findOffset(tree.root, path))}: ${toKey(path)}`;
  const shown = all.slice(0, maxShownProblems).map(({ path, message }) => `${toPlace(path)} ${message}`);
  throw toError(file, shown, all.length - shown.length);
}

/** To find the line of each costs a walk through the file. */
const maxShownProblems = 10;

function toError(file: string, problems: readonly string[], more = 0): EngineError {
  const lines = [...problems, ...(more > 0 ? [`and ${more} more`] : [])];
  return new EngineError('policy-invalid', [`The policy ${file} cannot be used:`, ...lines].join('\n  '), {
    remedy: 'Correct it and try again; until then nothing is run under it.',
  });
}

/** Unknown keys come as one issue of their parent; each is a problem with a place of its own. */
function toProblems(issue: z.core.$ZodIssue): PolicyProblem[] {
  const path = issue.path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
  if (issue.code !== 'unrecognized_keys') return [{ path, message: `is not usable: ${issue.message}` }];
  const known = Object.keys(toShape(path)).join(', ');
  return issue.keys.map((key) => ({ path: [...path, key], message: `is no key here; there are ${known}` }));
}

/** What may stand at the place that a path leads to. */
function toShape(path: readonly (string | number)[]): object {
  if (path.includes('rules')) return FileRule.shape;
  if (path.includes('layers')) return FileLayer.shape;
  if (path.includes('mounts')) return FileMount.shape;
  if (path.includes('sandbox')) return FileSandbox.shape;
  if (path.includes('store')) return FileStore.shape;
  return path.includes('defaults') ? PolicyFile.shape.defaults.unwrap().shape : PolicyFile.shape;
}

/** Of what is missing, the offset of the closest thing around it. */
function findOffset(root: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return (node.parent?.type === 'property' ? node.parent : node).offset;
  }
  return root.offset;
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function toKey(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the policy';
  return path.reduce<string>((key, segment) => {
    if (typeof segment === 'number') return `${key}[${segment}]`;
    return key === '' ? segment : `${key}.${segment}`;
  }, '');
}
