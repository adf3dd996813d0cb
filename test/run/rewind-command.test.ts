// `io-studio rewind` as scripts and people use it.
import { describe, expect, it } from 'vitest';
import { treeVariable } from '../../src/engine/process/process-index.ts';
import { openScenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';

const write = { tool: 'write_file', arguments: { path: 'made.txt', content: 'by the run\n' } };

async function openRun() {
  const scenario = await openScenario(({ position }) => (position === 0 ? { calls: [write] } : { text: 'Done.' }));
  const { result } = await scenario.run({}, { approve: 'all' });
  const rewind = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCli(['rewind', result.runId, '--home', scenario.home, ...args], {
      environment: { ...scenario.environment, ...environment },
    });
  return { scenario, runId: result.runId, rewind };
}

describe('io-studio rewind', () => {
  it('previews, takes back and undoes, each as one line of JSON', async () => {
    const { scenario, runId, rewind } = await openRun();
    await using _scenario = scenario;
    const file = { path: 'made.txt', fate: 'removed' };
    const report = { runId, aim: 'step', step: 0, isDone: false, files: [file], untold: 0, cancelled: [] };
    const preview = await rewind(['--dry-run', '--json']);
    expect([preview.exitCode, parseLines(preview.stdout)]).toEqual([0, [report]]);
    expect(scenario.read('made.txt')).toBe('by the run\n');
    const done = await rewind(['--to', '0', '--json']);
    expect([done.exitCode, parseLines(done.stdout)]).toEqual([0, [{ ...report, isDone: true }]]);
    const undone = await rewind(['--undo']);
    expect([undone.exitCode, undone.stdout]).toEqual([
      0,
      `undid the last rewind of ${runId}\n  restored    made.txt\n  go on:    io-studio resume ${runId}\n`,
    ]);
    expect(scenario.read('made.txt')).toBe('by the run\n');
  });

  it.each([
    ['a step that is no number', ['--to', 'two']],
    ['a step that the run has not got', ['--to', '9']],
    ['a file that the run has not written', ['--file', 'other.txt']],
    ['an undo of just one file', ['--undo', '--file', 'made.txt']],
    ['an undo where nothing was rewound', ['--undo']],
  ])('refuses %s, says why, and touches nothing', async (_what, args) => {
    const { scenario, rewind } = await openRun();
    await using _scenario = scenario;
    const { exitCode, stderr } = await rewind(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^io-studio: .+\n.+\n$/);
    expect(scenario.read('made.txt')).toBe('by the run\n');
  });

  it('refuses files that somebody else has changed, unless it is forced', async () => {
    const { scenario, rewind } = await openRun();
    await using _scenario = scenario;
    scenario.write('made.txt', 'by a person\n');
    const refused = await rewind([]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('made.txt')]);
    expect(scenario.read('made.txt')).toBe('by a person\n');
    expect((await rewind(['--force'])).stdout).toMatch(/removed +made\.txt.*\n +a copy +\/.*\/kept\/.*\/made\.txt\n/);
  });

  it('is refused to a process that a run has started', async () => {
    const { scenario, rewind } = await openRun();
    await using _scenario = scenario;
    const { exitCode, stderr } = await rewind([], { [treeVariable]: 'anything' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('started by a run')]);
    expect(scenario.read('made.txt')).toBe('by the run\n');
  });
});
