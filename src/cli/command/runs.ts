// `io-studio runs`: the runs of a home, newest first.
import type { RunSummary } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';

export async function runsCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  if (positionals.length > 0) throw usage('"io-studio runs" takes no argument.');
  return withEngine(values.home, async (engine) => {
    const runs = await engine.listRuns();
    const lines = values.json ? runs.map((run) => JSON.stringify(run)) : toTable(runs, engine.home);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  });
}

function toTable(runs: readonly RunSummary[], home: string): string[] {
  if (runs.length === 0) return [`No runs in ${home}.`];
  return runs.map((run) => {
    const started = new Date(run.startedAt).toISOString().slice(0, 19).replace('T', ' ');
    return `${run.runId}  ${started}  ${toState(run).padEnd(16)}  ${toVisible(run.title)}  (${toVisible(run.workspace)})`;
  });
}

function toState({ outcome, owner, imported, ready }: RunSummary): string {
  if (owner?.alive) return owner.certain ? 'running' : 'driver not seen';
  if (imported) return 'imported';
  return outcome?.kind ?? (ready ? 'ready' : 'interrupted');
}
