// What the commands that say something to a run have in common: which run and agent it is about, and who says it.
import type { Engine, RunId } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { homeOptions, parseOptions, parseRunId } from './parse-options.ts';
import { toActor } from './to-actor.ts';
import { withEngine } from './with-engine.ts';
import { writeLines } from './write-lines.ts';

export const agentOptions = { ...homeOptions, agent: { type: 'string' } } as const;

export interface Word {
  readonly runId: RunId;
  /** Null: the whole run. */
  readonly agentId: string | null;
  readonly home: string | undefined;
  readonly json: boolean;
  readonly say: (engine: Engine, actor: string) => Promise<void>;
  /** What comes of it, behind the name of the run or of the agent. */
  readonly told: string;
}

/** For commands that take nothing else than a run and perhaps an agent. */
export function parseAddressee(args: string[], command: string) {
  const { values, positionals } = parseOptions(args, agentOptions);
  return { ...values, runId: parseRunId(positionals, command), agentId: values.agent ?? null };
}

export async function sayToRun({ runId, agentId, home, json, say, told }: Word): Promise<number> {
  return withEngine(home, async (engine) => {
    await say(engine, toActor());
    const who = agentId === null ? `Run ${runId}` : `${toVisible(agentId)} of run ${runId}`;
    writeLines([json ? JSON.stringify({ runId, agentId }) : `${who} ${told}.`]);
    return 0;
  });
}
