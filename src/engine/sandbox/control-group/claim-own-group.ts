// Makes the engine's own control group into one that holds groups for sandboxes. A group that others are in too, or that the
// system hands to nobody, is left as it is. The engine moves to a group below: the kernel keeps caps of groups only where
// no process stands above them.
import { accessSync, constants, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessRow } from '../../process/process-table.ts';
import { toErrorCode } from '../to-error-code.ts';
import { findOwnGroup } from './find-own-group.ts';
import { readGroupFile, readMembers, tryWriteGroupFile, writeGroupFile } from './group-files.ts';

/** `base`: where groups may be made, and which caps the kernel can keep in them. */
export type GroupClaim =
  | { readonly kind: 'claimed'; readonly base: string; readonly controllers: readonly Controller[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Processor time is counted in every group, and needs none. */
export type Controller = (typeof wantedControllers)[number];

const wantedControllers = ['memory', 'pids'] as const;

/** Done once; it stands for as long as this process lives. */
export function claimOwnGroup(): GroupClaim {
  claim ??= findAndClaim();
  return claim;
}

let claim: GroupClaim | undefined;

/** Where groups of this engine and of those before it lie, if anywhere. Only looked for. */
export function findGroupBase(): string | null {
  if (claim?.kind === 'claimed') return claim.base;
  const own = findOwnGroup();
  return own.kind === 'found' ? own.path : null;
}

function findAndClaim(): GroupClaim {
  const own = findOwnGroup();
  if (own.kind === 'none') return own;
  const fault = findFault(own.path) ?? moveDown(own.path);
  if (fault !== null) return { kind: 'none', reason: fault };
  return { kind: 'claimed', base: own.path, controllers: enable(own.path) };
}

/** Why no groups may be made in this one. Exported for groups that this process is not in. */
export function findFault(group: string, members: readonly number[] = readMembers(group)): string | null {
  const type = readGroupFile(group, 'cgroup.type')?.trim();
  if (type === undefined) return 'the engine runs in the topmost control group, which is that of the whole system';
  if (type !== 'domain') return `${group} is of the kind ${type}, in which no groups with caps can be made`;
  if (!isWritable(group)) return `${group} may not be written`;
  const strangers = members.filter((pid) => !isOfEngine(pid));
  if (strangers.length === 0) return null;
  return `others run in ${group} beside the engine (${strangers.slice(0, maxNamed).map(toName).join(', ')})`;
}

const maxNamed = 3;

function isWritable(group: string): boolean {
  try {
    for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control']) accessSync(join(group, name), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** This process, or one that descends from it. */
function isOfEngine(pid: number): boolean {
  for (let at = pid; at > 1; at = readProcessRow(at)?.parentPid ?? 0) if (at === process.pid) return true;
  return pid === process.pid;
}

function toName(pid: number): string {
  return pid === 0 ? 'one that cannot be seen from here' : `process ${pid}`;
}

const engineGroup = 'engine';
/** Whoever is moved may just have had a child. */
const maxRounds = 10;

/** Why the engine and its children could not all be moved; those that were are back then. */
function moveDown(group: string): string | null {
  const below = join(group, engineGroup);
  try {
    makeGroup(below);
    for (let round = 0; round < maxRounds; round++) {
      const members = readMembers(group);
      if (members.length === 0) return null;
      if (!members.every(isOfEngine)) break;
      for (const pid of members) move(pid, below);
    }
  } catch (error) {
    moveBack(below, group);
    return `the engine could not move to ${below}: ${error instanceof Error ? error.message : String(error)}`;
  }
  moveBack(below, group);
  return `others came into ${group} while the engine made it ready`;
}

/** One that an engine before this one has left serves as well. */
function makeGroup(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST') throw error;
  }
}

function move(pid: number, to: string): void {
  try {
    writeGroupFile(to, 'cgroup.procs', String(pid));
  } catch (error) {
    if (toErrorCode(error) !== 'ESRCH') throw error; // It has just ended.
  }
}

function moveBack(below: string, group: string): void {
  for (const pid of readMembers(below)) tryWriteGroupFile(group, 'cgroup.procs', String(pid));
  try {
    rmdirSync(below);
  } catch {
    // Something is still in it: it stays where it is, which harms nobody.
  }
}

/** Each by itself: the system may have handed over only some, or none. */
function enable(group: string): Controller[] {
  const available = readGroupFile(group, 'cgroup.controllers')?.trim().split(' ') ?? [];
  return wantedControllers.filter(
    (name) => available.includes(name) && tryWriteGroupFile(group, 'cgroup.subtree_control', `+${name}`),
  );
}
