// What is told of the paths that somebody else has changed while a command worked on them.
import type { GuardedFiles } from '../guard/guard.ts';
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import { describeDifference } from '../tool/describe-difference.ts';
import { describeWriter } from '../tool/describe-stale.ts';
import type { FileHistory } from '../tool/tool.ts';

export type DescribeOvertaken = (change: WorkspaceChange) => Promise<string>;

/** Of all the paths of one command only the first few are compared: each may take a while. */
const maxCompared = 3;
const maxComparedBytes = 256 * 1024;

export function createDescribeOvertaken(files: GuardedFiles, history: FileHistory): DescribeOvertaken {
  let compared = 0;
  return async ({ path, before }) => {
    const read = await files.read(path, maxComparedBytes);
    const file = read.kind === 'file' ? read.file : { path, hash: null };
    const text = `somebody else has changed it meanwhile.${describeWriter(file, history)}`;
    if (read.kind !== 'file' || before?.kind !== 'file' || compared >= maxCompared) return text;
    compared += 1;
    const difference = await describeDifference(before.bytes, read.file.bytes, history);
    return difference === null ? text : `${text} What is different since the command saw it:\n${difference}`;
  };
}
