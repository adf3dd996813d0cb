// spawn_agent: gives a part of the work to another agent, which may do no more than the one that asks for it.
import { z } from 'zod';
import type { DeclaredAct } from '../../../shared/act.ts';
import { AgentBudgets, AgentTask, DeniedAct } from '../../../shared/agent-task.ts';
import { type LeafVerification, toLeaves, Verification } from '../../../shared/verification.ts';
import { lookingAct } from '../process/process-id.ts';
import type { Tool } from '../tool.ts';

const SpawnAgentArguments = z.strictObject({
  goal: AgentTask.shape.goal.describe('What it is to do, with everything it has to know: it sees nothing else.'),
  verification: Verification.optional().describe('What counts as done, as in the contract; without it nobody checks.'),
  tools: z
    .array(z.string())
    .max(100)
    .optional()
    .describe('The tools it is given, of your own; all that fit by default.'),
  deny: z.array(DeniedAct).max(100).optional().describe('What it may not do, beside what you may not do yourself.'),
  budgets: AgentBudgets.optional().describe('What it may spend, with all that work for it.'),
  role: z.string().max(40).optional().describe('A role that the task names for agents like this one.'),
  model: z.string().optional().describe('Another model than your own, where the contract names some.'),
  worktree: z
    .boolean()
    .optional()
    .describe(
      'It works in a git worktree of its own, which holds what the workspace holds now; what it has changed when it is done is then made in the workspace. Git itself does not work there.',
    ),
  detached: z.boolean().optional().describe('Go on without waiting for it; wait_agents tells how it ended.'),
});
type SpawnAgentArguments = z.infer<typeof SpawnAgentArguments>;

export const spawnAgent: Tool<SpawnAgentArguments> = {
  name: 'spawn_agent',
  description:
    'Has another agent work on a part of the task, in the same workspace and within your own permissions and budgets, and ' +
    'waits for what it reports. Several calls in one reply work side by side: give them parts that do not need the same files.',
  arguments: SpawnAgentArguments,
  kind: 'spawn',
  target: ({ goal }) => goal.split('\n', 1)[0] ?? goal,
  // Whoever spawns wrote the check that will run: nobody has said yes to it in a contract.
  acts: ({ verification, worktree }) => [
    lookingAct,
    ...(worktree === true ? [worktreeAct] : []),
    ...(verification === undefined ? [] : toLeaves(verification).flatMap(toLeafActs)),
  ],
  prepare: async (args) => toSpawnCall(args),
};

export const toSpawnCall = ({ goal, verification, deny, ...wish }: SpawnAgentArguments) =>
  ({
    kind: 'spawn',
    task: { goal, verification: verification ?? { kind: 'none' }, deny: deny ?? [] },
    tools: wish.tools ?? null,
    budgets: wish.budgets ?? {},
    model: wish.model ?? null,
    role: wish.role ?? null,
    isDetached: wish.detached ?? false,
    isApart: wish.worktree ?? false,
  }) as const;

const worktreeAct: DeclaredAct = { kind: 'exec', argv: ['git', 'worktree', 'add'] };

function toLeafActs(leaf: LeafVerification): DeclaredAct[] {
  switch (leaf.kind) {
    case 'command':
      return [{ kind: 'exec', argv: leaf.argv }];
    case 'fileContains':
    case 'fileEquals':
    case 'matchesSchema':
      return [{ kind: 'read', target: leaf.file }];
    default: {
      const [program, ...words] = testPrograms[leaf.kind];
      const reads = leaf.files.map((target): DeclaredAct => ({ kind: 'read', target }));
      return [...reads, { kind: 'exec', argv: [program, ...words, ...leaf.files] }];
    }
  }
}

/** What such a test comes to: it runs code that a model has written. */
const testPrograms = {
  rustCompiles: ['rustc'],
  rustTest: ['rustc', '--test'],
  nodeTest: ['node', '--test'],
  pythonTest: ['python3'],
  goTest: ['go', 'test'],
} as const satisfies Partial<Record<LeafVerification['kind'], readonly [string, ...string[]]>>;
