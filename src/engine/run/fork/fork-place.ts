// Where a fork works: in the original's workspace as it is, or in a copy or worktree that is brought back to what the original
// was at the step.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import type { ForkPlace } from '../../../shared/event/fork-events.ts';
import type { RunId } from '../../../shared/id.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { WorkspaceIdentity } from '../../guard/guard.ts';
import { openGuard } from '../../guard/open-guard.ts';
import type { Stance } from '../../policy/policy.ts';
import type { ForkRunParams } from '../engine.ts';
import { assertSameWorkspace } from '../open-run.ts';
import type { RunPolicy } from '../run-policy.ts';
import { stageCopy } from './copy-place.ts';
import type { ForkRunOptions } from './fork-options.ts';
import type { ForkPoint } from './fork-point.ts';
import { type LaterChanges, putBackFiles, readLaterChanges } from './put-back-files.ts';
import { linkWorktree, makeWorktree } from './worktree.ts';

/** What was made for it, all of it synced, goes with it unless it is kept. */
export interface ForkedPlace extends AsyncDisposable {
  readonly kind: ForkPlace;
  readonly workspace: WorkspaceIdentity;
  /** Where its files lie until it is kept. */
  readonly path: string;
  readonly files: readonly PutBackFile[];
  readonly untold: number;
  /** For once its run is in the journal: nothing of it is undone any more, and it gets its name. */
  keep(): void;
}

export interface ForkPlaceOptions {
  /** The run that it is made for. */
  readonly runId: RunId;
  readonly original: RunState;
  readonly point: ForkPoint;
  readonly params: ForkRunParams;
  readonly policy: RunPolicy;
}

type Place = ForkRunParams['place'];
type MadePlace = Exclude<Place, { kind: 'here' }>;

export async function openForkPlace(options: ForkRunOptions, wish: ForkPlaceOptions): Promise<ForkedPlace> {
  const { original, params, point } = wish;
  const { place } = params;
  const { home, sandbox, journal } = options;
  const guard = await openGuard({ workspace: original.settings.workspace.path, home, sandbox });
  try {
    assertSameWorkspace(original, guard);
    if (place.kind === 'here') return stay(guard.workspace);
    if (point.isElsewhere) throw elsewhere(point.step);
    const later = readLaterChanges(journal.reader, original.runId, point.seq);
    return await make(options, wish, { place, later, originalGuard: guard });
  } finally {
    guard.close();
  }
}

function stay(workspace: WorkspaceIdentity): ForkedPlace {
  return {
    kind: 'here',
    workspace,
    path: workspace.path,
    files: [],
    untold: 0,
    keep: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

interface Making {
  readonly place: MadePlace;
  readonly later: LaterChanges;
  readonly originalGuard: Awaited<ReturnType<typeof openGuard>>;
}

async function make(
  { home, sandbox, journal: { reader } }: ForkRunOptions,
  { policy, runId }: ForkPlaceOptions,
  { place, later, originalGuard }: Making,
): Promise<ForkedPlace> {
  const { kind, directory } = place;
  const isWorktree = kind === 'worktree';
  if (isWorktree && later.histories.some(({ path }) => isGits(path))) throw changedRepository();
  const { path: workspace } = originalGuard.workspace;
  if (!isWorktree && isLinked(workspace)) throw sharedRepository();
  const stance: Stance = { policy: policy.policy, isTainted: false, isolation: sandbox.isolation ?? 'none' };
  await using undoing = new AsyncDisposableStack();
  const without = isWorktree ? ['.git'] : [];
  const stage = undoing.use(await stageCopy({ home, reader, runId, workspace, directory, without }));
  const guard = await openGuard({ workspace: stage.path, home, sandbox });
  const files = await putBackFiles(guard, stance, later.histories).finally(() => guard.close());
  if (isWorktree) {
    const { branch } = place;
    const worktree = await makeWorktree({ guard: originalGuard, stance, branch, directory: stage.directory });
    undoing.defer(worktree.undo);
    linkWorktree(stage.path, worktree);
  }
  await stage.sync();
  const undo = undoing.move();
  let isKept = false;
  return {
    kind,
    workspace: { ...guard.workspace, path: stage.directory },
    path: stage.path,
    files,
    untold: later.untold,
    keep: () => {
      isKept = true;
      stage.publish();
    },
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await undo.disposeAsync();
    },
  };
}

/** Its `.git` only names where the repository keeps what belongs to this directory: index, branch, and the way back to it. */
export function isLinked(workspace: string): boolean {
  return lstatSync(join(workspace, '.git'), { throwIfNoEntry: false })?.isFile() === true;
}

const isGits = (path: string): boolean => path === '.git' || path.startsWith('.git/');

const elsewhere = (step: number): EngineError =>
  new EngineError('usage', `At step ${step} the run worked in another directory, and what it did there is not here.`, {
    remedy: 'Fork with --here, or at a step after the run was adopted.',
  });

const sharedRepository = (): EngineError =>
  new EngineError(
    'usage',
    'The workspace is a worktree or a submodule: git in a copy of it would act on the index and branch of the original.',
    { remedy: 'Fork with --worktree BRANCH from the main worktree of the repository, or with --here.' },
  );

const changedRepository = (): EngineError =>
  new EngineError(
    'usage',
    'The run has changed the repository itself after that step, and a worktree has it in common.',
    {
      remedy: 'Make a copy with --into DIR, in which the repository is put back as well, or fork with --here.',
    },
  );
