// `io-studio fork`: a new run that begins where another one stood at a step.
import { basename, dirname, join, resolve } from 'node:path';
import type { ForkRunParams } from '../../engine/index.ts';
import { toAskHere } from '../ask-here.ts';
import { follow } from '../follow.ts';
import { toForkLines } from '../fork-lines.ts';
import { driveOptions, parseOptions, parseRunId, toRunSettings, usage } from '../parse-options.ts';
import { readObject } from '../read-object.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...driveOptions,
  at: { type: 'string' },
  into: { type: 'string' },
  worktree: { type: 'string' },
  here: { type: 'boolean', default: false },
  goal: { type: 'string' },
  contract: { type: 'string' },
  run: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function forkCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const original = parseRunId(positionals, 'fork');
  const { goal, contract, model } = values;
  if (goal !== undefined && contract !== undefined) throw usage('Give either --goal TEXT or --contract FILE.');
  const { settings, asksHere } = toAskHere({ settings: toRunSettings(values), json: values.json });
  const changes = { goal, contract: contract === undefined ? undefined : readObject(contract), model };
  const step = parseStep(values.at);
  return withEngine(values.home, async (engine) => {
    const { workspace } = (await engine.readRun(original)).settings;
    const place = toPlace(values, workspace.path);
    const { policyFile, sharedHome } = settings;
    const forked = await engine.forkRun(original, { step, place, ...changes, policyFile, sharedHome });
    writeLines(values.json ? [JSON.stringify({ type: 'fork', ...forked })] : toForkLines(forked));
    if (!values.run) return 0;
    // The policy that was named is part of the fork already.
    const handle = await engine.resumeRun(forked.runId, { ...settings, policyFile: undefined });
    return await follow(engine, handle, { ...values, asksHere });
  });
}

/** The beginning counts as a step. */
function parseStep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`--at takes the number of a step, or 0 for the beginning, not "${text}".`);
}

/** A worktree lies beside the original where nothing else is said. */
function toPlace({ into, worktree, here }: Values, workspace: string): ForkRunParams['place'] {
  if (here) {
    if (into !== undefined || worktree !== undefined) throw usage('--here makes no directory: leave the others out.');
    return { kind: 'here' };
  }
  if (worktree === undefined) {
    if (into === undefined) throw usage('Say where the fork works: --into DIR, --worktree BRANCH or --here.');
    return { kind: 'copy', directory: resolve(into) };
  }
  const beside = join(dirname(workspace), `${basename(workspace)}-${worktree.replaceAll('/', '-')}`);
  return { kind: 'worktree', branch: worktree, directory: into === undefined ? beside : resolve(into) };
}
