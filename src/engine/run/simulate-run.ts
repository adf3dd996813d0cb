// What another policy would have decided in a run. Nothing but the journal is asked: every judged act stands there with all
// that its verdict followed from, so the files and programs of then need not be there any more.
import { toResolvedAct } from '../../shared/act-record.ts';
import type { RunId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import { readNamedFile } from '../guard/read-named-file.ts';
import type { JournalReader } from '../journal/journal.ts';
import { composePolicy, withLayers } from '../policy/compose-policy.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import { toRunLayer } from '../policy/run-layer.ts';
import { type RecordedAct, type Simulation, simulate } from '../policy/simulate.ts';
import { readScopes } from './run-policy.ts';

/** Judges the run's acts as if it had been started with `policyFile` over the same other scopes. Throws `policy-invalid`. */
export function simulateRun(reader: JournalReader, state: RunState, policyFile: string): Simulation {
  const scopes = (readScopes(reader, state.settings.policy) ?? []).filter(({ origin }) => origin !== 'app');
  const app = {
    origin: 'app',
    file: policyFile,
    policy: parsePolicyFile(readNamedFile(policyFile), policyFile),
  } as const;
  const remembered = toRunLayer(state.remembered.map(({ rule }) => rule));
  return simulate(readRecordedActs(reader, state.runId), withLayers(composePolicy([...scopes, app]), [remembered]));
}

/** What refuses whatever the policy says: the plan gate, and a guard that could not read the act. */
const outsideLayers: ReadonlySet<string> = new Set(['plan', 'guard']);

function* readRecordedActs(reader: JournalReader, runId: RunId): Generator<RecordedAct> {
  for (const event of reader.readEventsOf(runId, ['act-judged'])) {
    if (event.type !== 'act-judged' || outsideLayers.has(event.layer)) continue;
    const { seq, agentId, step, call, effect, rule, layer, tainted = false } = event;
    const act = toResolvedAct(event);
    if (act === null) continue;
    yield { seq, agentId, step, call, act, effect, rule, layer, isTainted: tainted, isolation: 'none' };
  }
}
