// What another policy would have decided in a run. Nothing but the journal is asked: every judged act stands there with all
// that its verdict followed from, so the files and programs of then need not be there any more.
import { toResolvedAct } from '../../shared/act-record.ts';
import type { RunId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import { openCredential } from '../approval/credential.ts';
import { readNamedFile } from '../guard/read-named-file.ts';
import type { JournalReader } from '../journal/journal.ts';
import { composePolicy, withLayers } from '../policy/compose-policy.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import type { Policy } from '../policy/policy.ts';
import { toRunLayer } from '../policy/run-layer.ts';
import { type RecordedAct, type Simulation, simulate } from '../policy/simulate.ts';
import { createAnswers } from './answers.ts';
import { readScopes } from './run-policy.ts';

export interface SimulateRunOptions {
  readonly home: string;
  readonly reader: JournalReader;
  readonly state: RunState;
  readonly policyFile: string;
}

/** Judges the run's acts as if it had been started with `policyFile` over the same other scopes. Throws `policy-invalid`. */
export function simulateRun({ home, reader, state, policyFile }: SimulateRunOptions): Simulation {
  const scopes = (readScopes(reader, state.settings.policy) ?? []).filter(({ origin }) => origin !== 'app');
  const app = {
    origin: 'app',
    file: policyFile,
    policy: parsePolicyFile(readNamedFile(policyFile), policyFile),
  } as const;
  const answers = createAnswers({ runId: state.runId, reader, openCredential: () => openCredential(home) });
  const remembered = state.remembered.filter(({ seq }) => answers.isGenuine(seq));
  return simulate(readRecordedActs(reader, state.runId), toPolicyAt(composePolicy([...scopes, app]), remembered));
}

/** What people had remembered holds for what came after it. */
function toPolicyAt(policy: Policy, remembered: RunState['remembered']): (act: RecordedAct) => Policy {
  const grown = new Map<number, Policy>();
  return ({ seq: now }) => {
    const rules = remembered.filter(({ seq }) => seq < now).map(({ rule }) => rule);
    const known = grown.get(rules.length) ?? withLayers(policy, [toRunLayer(rules)]);
    grown.set(rules.length, known);
    return known;
  };
}

/**
 * What is decided whatever the policy says: by the plan gate, by a guard that could not read the act, and by a yes to the call
 * whose tool keeps the file for itself.
 */
const outsideLayers: ReadonlySet<string> = new Set(['plan', 'guard', 'tool']);

function* readRecordedActs(reader: JournalReader, runId: RunId): Generator<RecordedAct> {
  // A rule may hold only where commands are enclosed, and every driver has an enclosure of its own.
  let isolation = 'none';
  for (const event of reader.readEventsOf(runId, ['run-start', 'run-resume', 'act-judged'])) {
    if (event.type === 'run-start' || event.type === 'run-resume') isolation = event.isolation ?? 'none';
    if (event.type !== 'act-judged' || outsideLayers.has(event.layer)) continue;
    const { seq, agentId, step, call, effect, rule, layer, tainted = false } = event;
    const act = toResolvedAct(event);
    if (act === null) continue;
    yield { seq, agentId, step, call, act, effect, rule, layer, isTainted: tainted, isolation };
  }
}
