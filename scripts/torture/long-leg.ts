// One engine of the long run, as a process of its own: begins the run or goes on with it, until so many steps are done or the
// run is over. Its one argument says which; it prints what it saw.
import { z } from 'zod';
import { createEngine, type RunHandle, RunId } from '../../src/engine/index.ts';

export const LegOrder = z.strictObject({
  home: z.string(),
  workspace: z.string(),
  url: z.string(),
  /** Null: begin. */
  runId: RunId.nullable(),
  /** It ends after so many steps. */
  steps: z.int().positive(),
  /** Memory is looked at after this one, counted in the whole run. */
  lookAt: z.int().positive(),
});
export type LegOrder = z.infer<typeof LegOrder>;

export const LegReport = z.strictObject({
  runId: RunId,
  steps: z.int(),
  outages: z.int(),
  answeredTwice: z.int(),
  /** Resident memory at that step; null: it is not among its own. */
  lookedBytes: z.number().nullable(),
  endBytes: z.number(),
  outcome: z.string(),
});
export type LegReport = z.infer<typeof LegReport>;

if (import.meta.main) process.stdout.write(`${JSON.stringify(await goALeg(readOrder()))}\n`);

function readOrder(): LegOrder {
  return LegOrder.parse(JSON.parse(process.argv[2] ?? ''));
}

async function goALeg(order: LegOrder): Promise<LegReport> {
  const { home, url } = order;
  const engine = createEngine({ home, environment: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'scripted' } });
  try {
    const handle = await begin(engine, order);
    const seen = await follow(handle, order);
    const { outcome } = await handle.result;
    return { runId: handle.runId, ...seen, endBytes: process.memoryUsage.rss(), outcome: outcome.kind };
  } finally {
    await engine.close();
  }
}

function begin(engine: ReturnType<typeof createEngine>, { runId, workspace }: LegOrder): Promise<RunHandle> {
  const contract = { goal: 'Read on.', workspace, budgets: { steps: null } };
  return runId === null ? engine.startRun({ contract, approve: 'all' }) : engine.resumeRun(runId, { approve: 'all' });
}

type Seen = { -readonly [Name in 'steps' | 'outages' | 'answeredTwice' | 'lookedBytes']: LegReport[Name] };

async function follow(handle: RunHandle, { steps, lookAt }: LegOrder): Promise<Seen> {
  const answered = new Set<number>();
  const seen: Seen = { steps: 0, outages: 0, answeredTwice: 0, lookedBytes: null };
  for await (const events of handle.events()) {
    for (const { type, step } of events) {
      if (type === 'model-fail') seen.outages += 1;
      if (type === 'model-finish' && answered.has(step)) seen.answeredTwice += 1;
      if (type === 'model-finish') answered.add(step);
      if (type !== 'step-finish') continue;
      seen.steps += 1;
      if (step === lookAt) seen.lookedBytes = process.memoryUsage.rss();
      if (seen.steps === steps) handle.interrupt('SIGTERM');
    }
  }
  return seen;
}
