// An engine that runs some commands one after the other, and tells on stdout what came of them, which caps the kernel kept,
// and whether it has a control group of its own.
// Usage: grouped-engine.ts BACKEND SPECS
import { claimOwnGroup } from '../../../src/engine/sandbox/control-group/claim-own-group.ts';
import type { SandboxResult, SandboxSpec } from '../../../src/engine/sandbox/sandbox.ts';
import { listCandidates } from '../../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../../src/engine/sandbox/selection/trials.ts';
import { toSandbox } from '../../../src/engine/sandbox/to-sandbox.ts';

const [name = '', text = ''] = process.argv.slice(2);
const specs: readonly SandboxSpec[] = JSON.parse(text);
const trials = createTrials(listCandidates({ mounts: [] }));
const candidate = trials.candidates.find(({ id }) => id === name);
if (candidate === undefined) throw new Error('this system has no such backend');
const trial = await trials.attempt(candidate);
if (trial.kind === 'fails') throw new Error(trial.reason);
const probe = await trials.examine(candidate);
const results: SandboxResult[] = [];
for (const spec of specs) results.push(await toSandbox(trial.backend).run(spec, AbortSignal.timeout(60_000)));
console.log(JSON.stringify({ claim: claimOwnGroup(), caps: probe.ok ? probe.caps : null, results }));
