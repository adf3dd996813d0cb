// A contract may name paths that stay as they are: no rule and no answer lifts that, and a restart does not either.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const write = (path: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content: 'new' } });
const propose: ScriptedCall = { tool: 'propose_plan', arguments: { plan: 'Change the tests.' } };

const open = (...replies: ScriptedCall[]): Promise<Scenario> =>
  openScenario(
    ({ position }) => {
      const call = replies[position];
      return call === undefined ? { text: 'Done.' } : { calls: [call] };
    },
    { files: { 'tests/a.js': 'old' } },
  );

const protect = ['tests/*'];
const refused = { target: 'tests/a.js', because: expect.stringMatching(/layer "contract".*the contract protects it/) };

describe('what a contract protects', () => {
  it('is not written, whoever says yes to everything, and the model is told by what', async () => {
    await using scenario = await open(write('tests/a.js'), write('src/a.js'));
    const { result } = await scenario.run({ protect }, { approve: 'all' });
    expect(result.denied).toMatchObject([refused]);
    expect(readFileSync(join(scenario.workspace, 'tests/a.js'), 'utf8')).toBe('old');
    expect(readFileSync(join(scenario.workspace, 'src/a.js'), 'utf8')).toBe('new');
    expect(JSON.stringify(scenario.messages(0))).toContain('a change of one is refused: tests/*');
  });

  it('is still not written when the run is gone on with', async () => {
    await using scenario = await open(propose, write('tests/a.js'));
    const { result } = await scenario.run({ protect, plan: true }, { approve: 'defer' });
    const [asked] = await scenario.engine.listApprovals();
    await scenario.engine.decide({ actor: 'person:test', request: asked?.request ?? '', decision: 'approve' });
    const second = await scenario.resume(result.runId, { approve: 'all' });
    expect(second.result.denied).toMatchObject([refused]);
  });

  it('stops the run before it begins when it can protect nothing', async () => {
    await using scenario = await open();
    await expect(scenario.start({ protect: ['tests/**'] })).rejects.toMatchObject({ code: 'contract-invalid' });
    expect([await scenario.engine.listRuns(), scenario.server.requests]).toEqual([[], []]);
  });
});
