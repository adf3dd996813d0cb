// A process that drives agents of one library to their end, side by side: `node agent.ts SETTINGS`. Its last line says what
// came of it. It leaves by itself: some libraries keep timers or connections that would hold it.
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentEngine, OpenEngine } from './engines/engine.ts';
import { closingWords } from './model/script.ts';

export const AgentSettings = z.strictObject({
  module: z.string(),
  baseUrl: z.url(),
  store: z.string().nullable(),
  workspace: z.string(),
  conversation: z.string(),
  steps: z.int(),
  agents: z.int(),
  begin: z.enum(['new', 'again']),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export const AgentReport = z.strictObject({
  /** Agents to whom the model has said its closing words. */
  finished: z.int(),
  peakMiB: z.number(),
  /** Of the first one that failed. */
  problem: z.string().nullable(),
});

if (import.meta.main) {
  const settings = AgentSettings.parse(JSON.parse(process.argv[2] ?? ''));
  const { open }: { open: OpenEngine } = await import(join(import.meta.dirname, 'engines', settings.module));
  const engine = await open(settings);
  const ended = await driveAll(engine, settings);
  await engine.close?.();
  const report: z.infer<typeof AgentReport> = {
    finished: ended.filter((problem) => problem === null).length,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    problem: ended.find((problem) => problem !== null) ?? null,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(report.problem === null ? 0 : 1));
}

/** One agent works in the name of the conversation itself, several in names that begin with it. */
async function driveAll(engine: AgentEngine, settings: AgentSettings): Promise<(string | null)[]> {
  const { conversation, agents } = settings;
  const names =
    agents === 1 ? [conversation] : Array.from({ length: agents }, (_, index) => `${conversation}x${index}`);
  return Promise.all(names.map((name) => drive(engine, settings, name)));
}

/** What went wrong, or null. */
async function drive(engine: AgentEngine, settings: AgentSettings, conversation: string): Promise<string | null> {
  const { workspace, steps, begin } = settings;
  const prompt = `CONV-${conversation} Do the scripted task.`;
  try {
    const said = await engine.run({ conversation, prompt, workspace, steps, begin });
    return said === closingWords ? null : `ended with ${said}`;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
