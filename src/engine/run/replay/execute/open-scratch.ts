// The workspace of a run as it was at its beginning: a private copy of what lies there now, in which everything that the run has
// changed since is put back. It is gone with its owner, and after a kill with the next engine that starts.
import { EngineError } from '../../../../shared/engine-error.ts';
import type { PutBackFile } from '../../../../shared/rewind.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import type { Guard } from '../../../guard/guard.ts';
import { openGuard } from '../../../guard/open-guard.ts';
import type { JournalReader } from '../../../journal/journal.ts';
import { assertGoingOn } from '../../../journal/retention/assert-going-on.ts';
import type { Stance } from '../../../policy/policy.ts';
import { createPrivateDirectory } from '../../../sandbox/private-directory.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { copyTree } from '../../../sandbox/staged/copy-tree.ts';
import { assertAdopted } from '../../assert-adopted.ts';
import { assertStill } from '../../fork/assert-still.ts';
import { isNotAsThen } from '../../fork/fork-events.ts';
import { isLinked } from '../../fork/fork-place.ts';
import { type ForkPoint, findForkPoint } from '../../fork/fork-point.ts';
import { putBackFiles, readLaterChanges } from '../../fork/put-back-files.ts';
import { assertSameWorkspace } from '../../open-run.ts';
import { createScratchPaths, type ScratchPaths } from './scratch-paths.ts';

export interface Scratch extends AsyncDisposable {
  readonly guard: Guard;
  readonly paths: ScratchPaths;
  /** What could not be put back. */
  readonly missed: readonly PutBackFile[];
  readonly untold: number;
}

export interface OpenScratchOptions {
  readonly home: string;
  readonly reader: JournalReader;
  readonly sandbox: Sandbox;
  /** The run as it stands now. */
  readonly original: RunState;
  /** What files are put back under. */
  readonly toStance: (paths: ScratchPaths, state: RunState) => Stance;
  readonly signal: AbortSignal;
}

/**
 * Throws `run-imported`, `run-owned`, `usage` (it began elsewhere, or git in a copy would act on the original),
 * `workspace-unusable`, and `closed` once it is wanted no more; then nothing is left.
 */
export async function openScratch(options: OpenScratchOptions): Promise<Scratch> {
  const { home, reader, sandbox, original, toStance, signal } = options;
  const point = findBeginning(reader, original);
  const workspace = await openOriginal(options);
  await using opened = new AsyncDisposableStack();
  const into = opened.use(await createPrivateDirectory());
  const copied = await copyTree({ workspace, hidden: [], into: into.path, owner: null, size: 'any', signal });
  assertGoingOn(signal);
  if (copied.kind === 'refused') throw notCopied(copied.reason);
  const guard = opened.adopt(await openGuard({ workspace: copied.path, home, sandbox }), (each) => each.close());
  const paths = createScratchPaths(original.settings.workspace.path, guard.workspace.path);
  const { histories, untold } = readLaterChanges(reader, original.runId, point.seq);
  const files = await putBackFiles(guard, toStance(paths, point.state), histories);
  const held = opened.move();
  const missed = files.filter(isNotAsThen);
  return { guard, paths, missed, untold, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function findBeginning(reader: JournalReader, original: RunState): ForkPoint {
  assertAdopted(original);
  assertStill(reader, original, `"io-studio replay ${original.runId}" alone looks at no files`);
  const point = findForkPoint(reader, original.runId, 0);
  if (point.isElsewhere) throw elsewhere();
  return point;
}

/** The real path of the original, which is looked at and let go of again. */
async function openOriginal({ home, sandbox, original }: OpenScratchOptions): Promise<string> {
  const guard = await openGuard({ workspace: original.settings.workspace.path, home, sandbox });
  try {
    assertSameWorkspace(original, guard);
    if (isLinked(guard.workspace.path)) throw sharedRepository();
    return guard.workspace.path;
  } finally {
    guard.close();
  }
}

const without = 'Replay it without --execute, which needs no workspace.';

const elsewhere = (): EngineError =>
  new EngineError('usage', 'The run began in another directory, and what it did there is not here.', {
    remedy: without,
  });

const sharedRepository = (): EngineError =>
  new EngineError(
    'usage',
    'The workspace is a worktree or a submodule: git in a copy of it would act on the index and branch of the original.',
    { remedy: without },
  );

const notCopied = (reason: string): EngineError =>
  new EngineError('workspace-unusable', `Nothing was run again: ${reason}.`, {
    remedy: `Make room or correct what stands in the way; TMPDIR says where the copy is made. ${without}`,
  });
