// What a process has left in the part of the workspace that it could write to, judged path by path as it would have been
// asked about before. What may not be there is put aside; a link that it may not have touched leads again where it led.
import { readlinkSync, symlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compareManifests, type ManifestChange } from '../sandbox/bound/compare-manifests.ts';
import type { Manifest } from '../sandbox/bound/read-manifest.ts';
import { toParents } from '../sandbox/to-parents.ts';
import type { OpenPlan } from './bind-workspace.ts';
import type { ProcessChange } from './guard.ts';
import { judgeChange } from './judge-change.ts';
import { findRefusal } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import type { LiveProcess } from './live-processes.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeEntry } from './place-entry.ts';
import type { AsideShelf } from './set-aside.ts';

export interface LeftOptions {
  readonly root: WorkspaceRoot;
  readonly plan: OpenPlan;
  readonly now: Manifest;
  readonly live: LiveProcess;
  readonly shelf: AsideShelf;
  /** What the process was started under. */
  readonly permission: Permission;
}

/** Enough to be quick, and few enough that nobody else waits long for this thread. */
const changesPerTurn = 200;

/** In the order of their paths. */
export async function judgeLeft(options: LeftOptions): Promise<ProcessChange[]> {
  const { plan, now, live } = options;
  const found = compareManifests(plan.manifest, now).filter(({ path, now }) => !live.isEngines(path, now));
  const reasons = await findReasons(options, found);
  const changes: ProcessChange[] = [];
  // What lies in a directory goes before it.
  for (const change of found.toReversed())
    changes.push(await settle(options, change, reasons.get(change.path) ?? null));
  return changes.reverse();
}

/** Why those may not be so that may not. Everything that lies in a new directory shares its fate. */
async function findReasons(options: LeftOptions, found: readonly ManifestChange[]): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const shut = new Set<string>();
  for (const [index, change] of found.entries()) {
    if (index % changesPerTurn === 0) await setImmediate();
    const { path, before, now } = change;
    const above = toParents(path).at(-1) ?? '';
    const reason = shut.has(above) ? (reasons.get(above) ?? null) : findReason(options, change);
    if (reason === null) continue;
    reasons.set(path, reason);
    if (now?.kind === 'directory' && before?.kind !== 'directory') shut.add(path);
  }
  return reasons;
}

async function settle(
  options: LeftOptions,
  { path, before, now }: ManifestChange,
  because: string | null,
): Promise<ProcessChange> {
  const change = before === null ? 'created' : now === null ? 'removed' : 'changed';
  if (because === null) return { path, change, became: 'kept', because };
  const target = options.plan.links.get(path);
  if (target !== undefined) return { path, change, became: await restoreLink(options, { path, now }, target), because };
  if (now === null || before !== null) return { path, change, became: 'left', because };
  const aside = await options.shelf.take(path, now);
  if (aside.kind === 'gone') return { path, change, became: 'aside', because };
  return { path, change, became: 'left', because: `${because}; it was left there: ${aside.reason}` };
}

/** Why it may not be so; null where it may. A link is a second name, so it counts where it leads too. */
function findReason({ root, plan, permission }: LeftOptions, { path, now }: ManifestChange): string | null {
  const refusal = findRefusal(plan.judge(path), permission.permitted);
  if (refusal !== null || now?.kind !== 'link') return refusal;
  const place = placeEntry(root, path);
  if (place.kind !== 'entry') return null;
  try {
    const target = readlinkSync(place.directory.at(place.name));
    return judgeChange(root, place, { path, before: null, after: { kind: 'link', target } }, permission);
  } catch {
    return null; // It is no link any more, which is another's doing.
  } finally {
    place.close();
  }
}

async function restoreLink(
  { root, shelf }: LeftOptions,
  { path, now }: Pick<ManifestChange, 'path' | 'now'>,
  target: string,
): Promise<ProcessChange['became']> {
  if (now !== null && (await shelf.take(path, now)).kind === 'left') return 'left';
  const place = placeEntry(root, path);
  if (place.kind !== 'entry') return 'left';
  try {
    symlinkSync(target, place.directory.at(place.name));
    return 'restored';
  } catch {
    return 'left'; // Somebody has put something there meanwhile.
  } finally {
    place.close();
  }
}
