// With what a run is gone on with: what it had, unless whoever resumes it says otherwise; and never somewhere else.
import { mkdirSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';

const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'right' } };
/** Fails once, so that the run can be gone on with. */
const script: Script = ({ position, repeats }) => {
  if (position === 0 && repeats === 0) return { fault: { kind: 'status', status: 404 } };
  return position === 0 ? { calls: [write] } : { text: 'Done.' };
};

async function startAndFail(args: readonly string[]): Promise<Scenario & { readonly runId: string }> {
  const scenario = await openScenario(script);
  const { stdout } = await runCli(
    ['run', '--goal', 'x', '--verify', 'test -e a.txt', '--home', scenario.home, '--json', ...args],
    { environment: scenario.environment, directory: scenario.workspace },
  );
  return { ...scenario, runId: String(parseLines(stdout)[0]?.runId) };
}

/** Resumes where other settings are at hand than those the run began with. */
async function resume(scenario: Scenario & { readonly runId: string }, args: readonly string[] = []) {
  const { stdout, exitCode } = await runCli(['resume', scenario.runId, '--home', scenario.home, '--json', ...args], {
    environment: { ...scenario.environment, OPENAI_MODEL: 'another', OPENROUTER_API_KEY: 'x'.repeat(20) },
  });
  const { kind }: { kind?: string } = Object(parseLines(stdout).at(-1)?.outcome);
  return { exitCode, kind, models: scenario.server.requests.map(({ body }) => body?.model) };
}

describe('a resumed run', () => {
  it('keeps its provider, its model and who answers its questions', async () => {
    await using scenario = await startAndFail(['--provider', 'openai', '--model', 'first', '--approve', 'all']);
    expect(await resume(scenario)).toEqual({ exitCode: 0, kind: 'met', models: ['first', 'first', 'first'] });
  });

  it('takes what its flags say instead', async () => {
    await using scenario = await startAndFail(['--approve', 'deny']);
    expect(await resume(scenario, ['--model', 'second', '--approve', 'all'])).toEqual({
      exitCode: 0,
      kind: 'met',
      models: ['scripted', 'second', 'second'],
    });
  });

  it('is refused where another directory has taken the place of its workspace', async () => {
    await using scenario = await startAndFail(['--approve', 'all']);
    renameSync(scenario.workspace, `${scenario.workspace}-moved`);
    mkdirSync(scenario.workspace);
    const { exitCode, stderr } = await runCli(['resume', scenario.runId, '--home', scenario.home], scenario);
    expect([exitCode, scenario.server.requests.length]).toEqual([2, 1]);
    expect(stderr).toMatch(/is not the directory that run .* worked in: it has been replaced\.\nPut the original/);
  });
});
