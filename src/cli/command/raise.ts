// `io-studio raise RUN`: sets another limit for a run, or for one agent of it with all that work for it.
import type { BudgetWhich } from '../../shared/outcome.ts';
import { parseOptions, parseRunId, usage } from '../parse-options.ts';
import { agentOptions, sayToRun } from '../say-to-run.ts';

const options = {
  ...agentOptions,
  tokens: { type: 'string' },
  cost: { type: 'string' },
  wall: { type: 'string' },
  steps: { type: 'string' },
  'risky-acts': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function raiseCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'raise');
  const { home, json, agent: agentId = null } = values;
  const { budget, limit } = parseLimit(values);
  return sayToRun({
    ...{ runId, agentId, home, json },
    say: (engine, actor) => engine.raiseCeiling(runId, agentId, budget, limit, actor),
    told: limit === null ? `has no limit on ${budget} of its own any more` : `may use ${limit} of ${budget} in all`,
  });
}

interface Limit {
  readonly budget: BudgetWhich;
  readonly limit: number | null;
}

function parseLimit(values: Values): Limit {
  const given: readonly { readonly budget: BudgetWhich; readonly text: string | undefined }[] = [
    { budget: 'tokens', text: values.tokens },
    { budget: 'costUsd', text: values.cost },
    { budget: 'wallMs', text: values.wall },
    { budget: 'steps', text: values.steps },
    { budget: 'riskyActs', text: values['risky-acts'] },
  ];
  const limits = given.flatMap(({ budget, text }) => (text === undefined ? [] : [{ budget, text }]));
  const [first] = limits;
  if (first === undefined || limits.length > 1) {
    throw usage('"io-studio raise" takes one of --tokens N, --cost USD, --wall MS, --steps N and --risky-acts N.');
  }
  if (first.text === 'none') return { budget: first.budget, limit: null };
  const limit = Number(first.text);
  if (first.text.trim() === '' || !Number.isFinite(limit)) {
    throw usage(`A limit is a number, or none to lift it, not "${first.text}".`);
  }
  return { budget: first.budget, limit };
}
