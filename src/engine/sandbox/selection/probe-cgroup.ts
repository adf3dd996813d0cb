// Whether the system has handed this process a control group of its own, by which the kernel keeps caps of whole trees, and
// what a person can do where it has not.
import { existsSync } from 'node:fs';
import { type Controller, claimOwnGroup, type GroupClaim } from '../control-group/claim-own-group.ts';
import type { Advice } from './advise.ts';

export type CgroupProbe =
  | { readonly delegated: true; readonly path: string; readonly controllers: readonly Controller[] }
  | { readonly delegated: false; readonly reason: string; readonly advice: Advice | null };

/** Who hands out control groups here: the service manager of the system, that of the user, or nobody known. */
export type GroupKeeper = 'system' | 'user' | null;

export function probeCgroup(claim: GroupClaim = claimOwnGroup(), keeper: GroupKeeper = findKeeper()): CgroupProbe {
  if (claim.kind === 'claimed') return { delegated: true, path: claim.base, controllers: claim.controllers };
  return { delegated: false, reason: claim.reason, advice: keeper === null ? null : toAdvice(keeper) };
}

function toAdvice(keeper: 'system' | 'user'): Advice {
  const manager = keeper === 'user' ? 'systemd-run --user' : 'systemd-run';
  return {
    text: 'The kernel keeps the caps on memory and processes where the engine has a control group of its own, which a command line that begins like this gives it',
    command: `${manager} --scope -p Delegate=yes io-studio run`,
  };
}

/** Where the hierarchy stands beside an older one, that one has what caps need. */
function findKeeper(): GroupKeeper {
  if (!existsSync('/sys/fs/cgroup/cgroup.controllers')) return null;
  const uid = process.geteuid?.() ?? 0;
  if (uid === 0) return existsSync('/run/systemd/system') ? 'system' : null;
  return existsSync(`/run/user/${uid}/systemd`) ? 'user' : null;
}
