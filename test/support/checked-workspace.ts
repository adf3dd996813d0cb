// A workspace in a temporary directory and a checker over it: real files, the strongest sandbox that works on this machine.
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CheckReport, CommandWatch } from '../../src/engine/check/check.ts';
import { createChecker } from '../../src/engine/check/create-checker.ts';
import type { FileRead } from '../../src/engine/guard/guard.ts';
import type { Sandbox } from '../../src/engine/sandbox/sandbox.ts';
import { createSandbox } from '../../src/engine/sandbox/select-sandbox.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';
import { BlobHash } from '../../src/shared/id.ts';
import type { Verification } from '../../src/shared/verification.ts';

export interface CheckedWorkspace extends AsyncDisposable {
  readonly path: string;
  check(verification: Verification, signal?: AbortSignal): Promise<CheckReport>;
}

export interface WorkspaceFile {
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

export interface CheckedWorkspaceOptions {
  readonly sandbox?: Sandbox;
  readonly hidden?: readonly string[];
  readonly changedPaths?: readonly string[];
  readonly watch?: CommandWatch;
}

const ownSandbox = createSandbox({ minimum: 'caps-only', trials: createTrials(listCandidates({ mounts: [] })) });

/** What encloses the commands of checks in these tests. */
export const checkIsolation = await ownSandbox.ready();

/** Creates the workspace with these files; it is removed when the holder's scope ends. */
export async function createCheckedWorkspace(
  files: Readonly<Record<string, string | WorkspaceFile>>,
  { sandbox = ownSandbox, hidden = [], changedPaths = [], watch = ignore }: CheckedWorkspaceOptions = {},
): Promise<CheckedWorkspace> {
  const path = await mkdtemp(join(tmpdir(), 'checked-workspace-'));
  for (const [name, file] of Object.entries(files)) {
    const { content, mode = 0o644 } = typeof file === 'string' ? { content: file } : file;
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
    await chmod(join(path, name), mode);
  }
  const checker = createChecker({
    sandbox,
    workspace: path,
    files: { read: (name) => readFrom(path, name) },
    hidden: async () => hidden,
    changedPaths: () => changedPaths,
  });
  return {
    path,
    check: (verification, signal = new AbortController().signal) => checker.check(verification, watch, signal),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

const ignore: CommandWatch = async () => () => undefined;

async function readFrom(workspace: string, name: string): Promise<FileRead> {
  if (name === 'secret') return { kind: 'unreadable', reason: 'a rule denies reading it' };
  try {
    const bytes = await readFile(join(workspace, name));
    const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'));
    return { kind: 'file', file: { path: name, bytes, hash, mode: 0o644 } };
  } catch {
    return { kind: 'missing', path: name };
  }
}

/** A sandbox on a machine where every program fails at once with these words. */
export function createFailingSandbox(stderr: string): Sandbox {
  return {
    isolation: 'none',
    run: async () => ({
      kind: 'exit',
      code: 1,
      isolation: 'none',
      stdout: { text: '', droppedBytes: 0 },
      stderr: { text: stderr, droppedBytes: 0 },
      durationMs: 1,
      leavings: { kind: 'nothing' },
      survivors: 0,
    }),
  };
}
