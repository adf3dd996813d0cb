// `io-studio run`: from a contract, or from a goal and flags, to a result.
import { resolve } from 'node:path';
import { parseTaskContract } from '../../engine/index.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import { toAskHere } from '../ask-here.ts';
import { follow } from '../follow.ts';
import { driveOptions, parseCount, parseOptions, toRunSettings, usage } from '../parse-options.ts';
import { readObject } from '../read-object.ts';
import { withEngine } from '../with-engine.ts';

const options = {
  ...driveOptions,
  contract: { type: 'string' },
  goal: { type: 'string' },
  workspace: { type: 'string' },
  verify: { type: 'string' },
  steps: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function runCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length > 0) throw usage(`"${positionals[0]}" is left over; give the goal with --goal.`);
  const { settings, asksHere } = toAskHere({ settings: toRunSettings(values), json: values.json });
  const contract = readContract(values);
  return withEngine(values.home, async (engine) => {
    const handle = await engine.startRun({ contract, ...settings });
    return await follow(engine, handle, { ...values, asksHere });
  });
}

/** The contract of the file, or one made of the goal; flags replace what it says. */
function readContract({ contract: file, goal, workspace, verify, steps }: Values): TaskContract {
  if ((file === undefined) === (goal === undefined)) throw usage('Give either --contract FILE or --goal TEXT.');
  const base = file === undefined ? { goal, workspace: process.cwd() } : readObject(file);
  const limit = parseCount(steps, 'steps');
  return parseTaskContract({
    ...base,
    ...(workspace === undefined ? {} : { workspace: resolve(workspace) }),
    ...(verify === undefined ? {} : { verification: { kind: 'command', argv: ['sh', '-c', verify], expectExit: 0 } }),
    ...(limit === undefined ? {} : { budgets: withSteps('budgets' in base ? base.budgets : {}, limit) }),
  });
}

/** Budgets that are no object stay as they are: they are refused with the rest of the contract. */
const withSteps = (budgets: unknown, steps: number): unknown =>
  typeof budgets === 'object' && budgets !== null && !Array.isArray(budgets) ? { ...budgets, steps } : budgets;
