// What a contract says of a whole tree of agents, as the run is held to it.
import type { Containment, TaskContract, TreeCaps } from '../../shared/task-contract.ts';

/** A model that a role brings along may be given to every agent. */
export function toTreeCaps({ roles, models, ...caps }: Containment): TreeCaps {
  const brought = Object.values(roles).flatMap(({ model }) => model ?? []);
  return { ...caps, models: [...new Set([...models, ...brought])] };
}

/** Both speak of the whole tree, so the stricter counts. */
export function toTreeBudgets({ budgets, containment }: TaskContract): TaskContract['budgets'] {
  if (containment === null) return budgets;
  const stricter = (name: 'tokens' | 'costUsd' | 'wallMs'): number | null => {
    const limits = [budgets[name], containment[name]].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  };
  return { ...budgets, tokens: stricter('tokens'), costUsd: stricter('costUsd'), wallMs: stricter('wallMs') };
}
