// Sees one launch through: starts it, holds it to its limits and sees everything of it gone, however it ends. What happened
// first decides: its own end, a cap, or that nobody wants it any more.
import { settlesWithin } from '../process/settles-within.ts';
import { beginLaunch } from './begin-launch.ts';
import { collectOutput } from './collect-output.ts';
import { type HeldChild, holdChild } from './held-child.ts';
import type { Begun, ChildExit, Launch, StartedChild, StartFailure } from './launch.ts';
import { createPlainTree } from './plain-tree.ts';
import type { CapHit, Ran, SandboxLimits, SandboxSession } from './sandbox.ts';
import { toLiveCommand } from './to-live-command.ts';
import { type CapWatch, watchCaps } from './watch-caps.ts';

/** What became of a launch: the result of the command, but for what the backend has to say of itself. */
export type Supervised = (Ending & Omit<Ran, 'isolation'>) | StartFailure;

type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'cap'; readonly hit: CapHit }
  | { readonly kind: 'cancelled' };

/** How long written output is waited for: once when the command has ended, and again when its whole tree has. */
const drainMs = 250;
const usualPatienceMs = 15_000;

export interface SuperviseOptions {
  /** Within that it has to begin. */
  readonly patienceMs?: number | undefined;
  readonly session?: SandboxSession | undefined;
  /** Called in the turn in which the child was started. */
  readonly onStart?: ((pid: number) => void) | undefined;
}

/** Owns the launch from here on and disposes of it on every path. */
export async function supervise(
  launch: Launch,
  limits: SandboxLimits,
  signal: AbortSignal,
  { patienceMs = usualPatienceMs, session, onStart }: SuperviseOptions = {},
): Promise<Supervised> {
  await using owned = launch;
  if (signal.aborted) return neverBegun;
  const child = await owned.start(session === undefined ? 'none' : 'pipe');
  if (child.kind === 'failed') return { kind: 'not-started', stage: 'launcher', reason: child.reason };
  // Until the launch says who belongs to it. In this turn, while the child cannot have been reaped.
  await using held = holdChild(child, createPlainTree({ child, mark: null, uid: null }));
  onStart?.(child.pid);
  const output = collectOutput(child, limits);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => session?.onOutput(bytes));
  const begun = await beginLaunch(owned, child, signal, patienceMs);
  if (begun.kind === 'cancelled') return { ...neverBegun, survivors: await endAll(child, held), ...output.read() };
  if (begun.kind === 'not-started') return begun;
  held.follow(begun.tree);
  session?.onStart(toLiveCommand(child, begun));
  using watch = watchCaps(begun.tree, output, { limits, keptByKernel: owned.keptByKernel });
  const { ending, durationMs } = await waitForEnd(child, begun, watch, signal);
  const survivors = await endAll(child, held);
  if (ending.kind === 'not-started') return ending;
  const isWhole = (ending.kind === 'exit' || ending.kind === 'signal') && survivors === 0;
  const leavings = isWhole ? await owned.readLeavings() : neverBegun.leavings;
  return { ...ending, ...output.read(), durationMs, leavings, survivors };
}

const nothing = { text: '', droppedBytes: 0 };
/** Nobody wanted it any more before it began. */
export const neverBegun = {
  kind: 'cancelled',
  stdout: nothing,
  stderr: nothing,
  durationMs: 0,
  leavings: { kind: 'nothing' },
  survivors: 0,
} as const;

interface CommandEnd {
  readonly ending: Ending | StartFailure;
  readonly durationMs: number;
}

/** The watch looks no more when this resolves, except at output that is still on its way. */
async function waitForEnd(
  child: StartedChild,
  begun: Begun,
  watch: CapWatch,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const exit = await firstOf(child, watch, signal);
  const durationMs = watch.elapsedMs();
  watch[Symbol.dispose]();
  // Written before the end, so it counts as before the end.
  if (exit !== null) await settlesWithin(Promise.race([child.closed, watch.reached]), drainMs);
  if (watch.hit !== null) return { ending: { kind: 'cap', hit: watch.hit }, durationMs };
  if (exit === null) return { ending: { kind: 'cancelled' }, durationMs };
  const end = await begun.toEnd(exit);
  if (end.kind === 'not-started') return { ending: end, durationMs };
  const hit = watch.explain(end.kind === 'signal' ? end.signal : null, durationMs);
  return { ending: hit === null ? end : { kind: 'cap', hit }, durationMs };
}

/** Null when it did not end by itself. */
function firstOf(child: StartedChild, watch: CapWatch, signal: AbortSignal): Promise<ChildExit | null> {
  return new Promise((resolve) => {
    const finish = (exit: ChildExit | null): void => {
      signal.removeEventListener('abort', stop);
      resolve(exit);
    };
    const stop = (): void => finish(null);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    watch.reached.then(stop);
    child.exited.then(finish);
  });
}

async function endAll(child: StartedChild, held: HeldChild): Promise<number | null> {
  const survivors = await held.end();
  await settlesWithin(child.closed, drainMs);
  return survivors;
}
