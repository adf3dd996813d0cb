import type { Permission } from './judged-place.ts';

/** Whether anything at all may be written; a look at every file would say the same. */
export function mayWrite({ stance: { policy }, permitted }: Permission): boolean {
  const { write } = policy.defaults;
  if (write === 'allow' || (write === 'ask' && permitted === 'ask')) return true;
  return policy.layers.some(({ rules }) => rules.some(({ act, effect }) => act === 'write' && effect === 'allow'));
}

/** Why a process is not given a workspace to write to where that is so. */
export const noWrites = 'no rule allows writing to it without asking';
