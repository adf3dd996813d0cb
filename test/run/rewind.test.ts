// A person takes a run back: just the files that the run has written are again what they were, and the conversation with
// them; nothing else is touched, and nothing that was spent, decided or shown is taken back.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RewindParams, RewindReport, RunId } from '../../src/engine/index.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { describeEntries } from '../support/describe-entries.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario, type ScenarioOptions } from '../support/open-scenario.ts';
import { scanHome } from '../support/scan-home.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const edit = (path: string, old: string, text: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old, new: text },
});
const write = (path: string, content: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content } });
const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const shell = (command: string): ScriptedCall => ({ tool: 'shell', arguments: { command } });

type Steps = readonly (readonly ScriptedCall[])[];

const open = (steps: Steps, options: ScenarioOptions = {}): Promise<Scenario> =>
  openScenario(({ position }) => {
    const calls = steps[position];
    return calls === undefined ? { text: 'Done.' } : { text: `Step ${position + 1}.`, calls };
  }, options);

const runAll = (scenario: Scenario) => scenario.run({}, { approve: 'all' });

function rewind(
  { engine }: Scenario,
  runId: RunId,
  aim: RewindParams['aim'] | number,
  wish: Partial<RewindParams> = {},
): Promise<RewindReport> {
  const wanted = typeof aim === 'number' ? { kind: 'step' as const, step: aim } : aim;
  return engine.rewindRun(runId, { actor: 'person:test', aim: wanted, mode: 'carry-out', foreign: 'leave', ...wish });
}

const fatesOf = ({ files }: RewindReport) => Object.fromEntries(files.map(({ path, fate }) => [path, fate]));

const files = { 'log.txt': 'begin\nEND\n', 'old/a.txt': 'a\n', 'old/b.txt': 'b\n', 'tool.sh': '#!/bin/sh\n' };

/** Every kind of change that a run can make, several of them to one path. */
const everyKind: Steps = [
  [read('log.txt'), edit('log.txt', 'END', 'one\nEND')],
  [write('new/file.txt', 'first\n'), edit('log.txt', 'END', 'two\nEND')],
  [shell('rm -r old; chmod 755 tool.sh; mkdir -p made/deep; echo x > made/deep/x.txt; ln -s log.txt link')],
  [shell('sed -i s/first/second/ new/file.txt; rm tool.sh; echo 3 >> log.txt; echo plain > old')],
];

describe('a rewind', () => {
  it('puts everything back that edits and commands have made different, with modes, links and directories', async () => {
    await using scenario = await open(everyKind, { files });
    const before = describeEntries(scenario.workspace);
    const { result } = await runAll(scenario);
    const after = describeEntries(scenario.workspace);
    expect(after.old).toMatch(/^file 644 plain/);
    const preview = await rewind(scenario, result.runId, 0, { mode: 'preview' });
    expect(describeEntries(scenario.workspace)).toEqual(after);
    const report = await rewind(scenario, result.runId, 0);
    // Which directories a tool has made on the way to a file is not told by any change.
    rmSync(join(scenario.workspace, 'new'), { recursive: true });
    expect(describeEntries(scenario.workspace)).toEqual(before);
    expect(report).toEqual({ ...preview, isDone: true });
    expect(fatesOf(report)).toEqual({
      'log.txt': 'restored',
      'new/file.txt': 'removed',
      old: 'restored',
      'old/a.txt': 'restored',
      'old/b.txt': 'restored',
      'tool.sh': 'restored',
      made: 'removed',
      'made/deep': 'removed',
      'made/deep/x.txt': 'removed',
      link: 'removed',
    });
  });

  it('goes back to the end of each step with what the files were then', async () => {
    const steps = everyKind.length;
    const seen: Record<string, string>[] = [];
    for (let step = 0; step < steps; step++) {
      await using short = await open(everyKind.slice(0, step), { files });
      await runAll(short);
      seen.push(describeEntries(short.workspace));
    }
    await using scenario = await open(everyKind, { files });
    const { result } = await runAll(scenario);
    for (let step = steps - 1; step > 0; step--) {
      await rewind(scenario, result.runId, step);
      // The directory on the way to a new file was made by a tool, and is left: no change tells of it.
      const { new: _left, ...now } = describeEntries(scenario.workspace);
      const { new: _too, ...then } = seen[step] ?? {};
      expect(now, `step ${step}`).toEqual(then);
    }
  });

  it('keeps untracked data that the run never touched (github/copilot-cli#1675)', async () => {
    const data = { 'data/untracked.bin': 'mine\n', 'made/beside.txt': 'mine too\n', '.env': 'KEY=1\n' };
    const work: Steps = [[shell('mkdir -p made/run out; echo r > made/run/r.txt; echo o > out/o.txt; rm log.txt')]];
    await using scenario = await open(work, { files: { ...files, ...data } });
    const before = describeEntries(scenario.workspace);
    const { result } = await runAll(scenario);
    scenario.write('out/mine.txt', 'put here by a person\n');
    const report = await rewind(scenario, result.runId, 0);
    expect(describeEntries(scenario.workspace)).toEqual({
      ...before,
      out: 'directory 755',
      'out/mine.txt': 'file 644 put here by a person\n',
    });
    expect(report.files.find(({ path }) => path === 'out')).toEqual({
      path: 'out',
      fate: 'left',
      because: 'something else lies in it: mine.txt',
    });
  });

  it('restores an ignore file and keeps what it ignores, after a preview and with an undo (cline/cline#14367)', async () => {
    const data = { '.gitignore': 'data/\n# not committed\n', 'data/big.bin': 'ignored data\n', 'notes.txt': 'n\n' };
    const work: Steps = [
      [write('.gitignore', 'dist/\n'), edit('notes.txt', 'n', 'changed'), shell('echo x > data/made')],
    ];
    await using scenario = await open([[read('.gitignore'), read('notes.txt')], ...work], { files: data });
    const before = describeEntries(scenario.workspace);
    const { result } = await runAll(scenario);
    const after = describeEntries(scenario.workspace);
    const preview = await rewind(scenario, result.runId, 0, { mode: 'preview' });
    expect(fatesOf(preview)).toEqual({ '.gitignore': 'restored', 'notes.txt': 'restored', 'data/made': 'removed' });
    expect(describeEntries(scenario.workspace)).toEqual(after);
    await rewind(scenario, result.runId, 0);
    expect(describeEntries(scenario.workspace)).toEqual(before);
    await rewind(scenario, result.runId, { kind: 'undo' });
    expect(describeEntries(scenario.workspace)).toEqual(after);
  });

  it('refuses what somebody else has changed since, and puts it back with a copy of it when forced', async () => {
    await using scenario = await open(everyKind.slice(0, 2), { files });
    const { result } = await runAll(scenario);
    scenario.write('log.txt', 'what a person wrote\n');
    const after = describeEntries(scenario.workspace);
    await expect(rewind(scenario, result.runId, 0)).rejects.toMatchObject({ code: 'rewind-refused' });
    expect(describeEntries(scenario.workspace)).toEqual(after);
    const preview = await rewind(scenario, result.runId, 0, { mode: 'preview' });
    expect(fatesOf(preview)).toEqual({ 'new/file.txt': 'removed', 'log.txt': 'changed' });
    const report = await rewind(scenario, result.runId, 0, { foreign: 'keep-copy' });
    expect(scenario.read('log.txt')).toBe(files['log.txt']);
    const { copy = '' } = report.files.find(({ path }) => path === 'log.txt') ?? {};
    expect(copy.startsWith(join(scenario.home, 'kept'))).toBe(true);
    expect([readFileSync(copy, 'utf8'), statSync(copy).mode & 0o777]).toEqual(['what a person wrote\n', 0o600]);
    await rewind(scenario, result.runId, { kind: 'undo' });
    expect(scenario.read('log.txt')).toBe('what a person wrote\n');
  });

  it('does not take a file that a person wrote between two edits of the run for its own', async () => {
    const edits = ['one', 'two'].map((line) => [read('log.txt'), edit('log.txt', 'END', `${line}\nEND`)]);
    let meanwhile = () => {};
    await using scenario = await openScenario(
      ({ position }) => {
        if (position === 1) meanwhile();
        return { text: 'So.', ...(position < 2 ? { calls: edits[position] ?? [] } : {}) };
      },
      { files },
    );
    meanwhile = () => scenario.write('log.txt', `${scenario.read('log.txt')}by a person\n`);
    const { runId } = (await runAll(scenario)).result;
    expect(scenario.read('log.txt')).toBe('begin\none\ntwo\nEND\nby a person\n');
    const preview = await rewind(scenario, runId, 0, { mode: 'preview' });
    expect(preview.files).toEqual([
      { path: 'log.txt', fate: 'changed', because: expect.stringContaining('somebody else') },
    ]);
  });

  it('lets the model go on as if the steps after it had never been, and counts on with steps and spend', async () => {
    await using scenario = await open(everyKind, { files });
    const first = await runAll(scenario);
    const { runId } = first.result;
    const request = scenario.messages(2);
    const spent = first.result.usage;
    await rewind(scenario, runId, 2);
    const state = await scenario.engine.readRun(runId);
    expect(state.outcome).toEqual({ kind: 'rewound', step: 2 });
    expect((await scenario.engine.listRuns())[0]?.outcome).toEqual({ kind: 'rewound', step: 2 });
    const asked = scenario.server.requests.length;
    const again = await scenario.resume(runId);
    expect(again.result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(scenario.messages(asked)).toEqual(request);
    for (const { body } of scenario.server.requests.slice(asked))
      expect(findPairingFaults(toMessages(body))).toEqual([]);
    const steps = again.events.flatMap((event) => (event.type === 'model-start' ? [event.step] : []));
    expect(steps).toEqual([6, 7, 8]);
    expect(again.result.usage.inputTokens).toBeGreaterThan(spent.inputTokens);
    expect(again.result.usage.steps).toBe(8);
    await rewind(scenario, runId, 7);
    await expect(rewind(scenario, runId, 4)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('1, 2, 6, 7'),
    });
    await rewind(scenario, runId, 0);
    expect(scenario.read('log.txt')).toBe(files['log.txt']);
  });

  it('takes nothing back that was decided, spent, shown or counted', async () => {
    const rules = { layers: [{ name: 't', rules: [{ act: 'write', effect: 'ask', pattern: 'log.txt' }] }] };
    await using scenario = await open(everyKind.slice(0, 2), {
      files: { ...files, 'policy.jsonc': JSON.stringify(rules) },
    });
    const policyFile = join(scenario.workspace, 'policy.jsonc');
    const { result } = await scenario.run({}, { approve: 'all', policyFile });
    const before = await scenario.engine.readRun(result.runId);
    await rewind(scenario, result.runId, 0);
    const after = await scenario.engine.readRun(result.runId);
    const kept = ({ ledger, riskyActs, remembered, plan, denied, agents }: typeof before) => ({
      ledger,
      riskyActs,
      remembered,
      plan,
      denied,
      step: agents[rootAgentId]?.step,
      label: agents[rootAgentId]?.label,
    });
    expect(before.riskyActs).toBeGreaterThan(0);
    expect(kept(after)).toEqual(kept(before));
  });

  it('withdraws the open questions of what it leaves behind, and an answer to one counts for nothing', async () => {
    const rules = { layers: [{ name: 't', rules: [{ act: 'write', effect: 'allow', pattern: 'log.txt' }] }] };
    await using scenario = await open(everyKind.slice(0, 2), {
      files: { ...files, 'policy.jsonc': JSON.stringify(rules) },
    });
    const policyFile = join(scenario.workspace, 'policy.jsonc');
    const { result } = await scenario.run({}, { approve: 'defer', policyFile });
    expect(result.outcome).toMatchObject({ kind: 'awaitingApproval' });
    const [asked] = await scenario.engine.listApprovals(result.runId);
    const request = asked?.request ?? '';
    const report = await rewind(scenario, result.runId, 1);
    expect(report.cancelled).toEqual([request]);
    expect(await scenario.engine.listApprovals(result.runId)).toEqual([]);
    const decision = { request, decision: 'approve', actor: 'person:test' } as const;
    await expect(scenario.engine.decide(decision)).rejects.toMatchObject({ code: 'approval-changed' });
    await rewind(scenario, result.runId, { kind: 'undo' });
    // It waits for nobody until somebody resumes it: there is no question that could be answered.
    expect((await scenario.engine.readRun(result.runId)).outcome).toBeNull();
    const again = await scenario.resume(result.runId);
    expect(again.result.outcome).toMatchObject({ kind: 'awaitingApproval' });
    const [anew] = await scenario.engine.listApprovals(result.runId);
    await scenario.engine.decide({ request: anew?.request ?? '', decision: 'approve', actor: 'person:test' });
    expect((await scenario.resume(result.runId)).result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(scenario.read('new/file.txt')).toBe('first\n');
  });

  it('is undone with files, conversation and outcome, until the run has gone on', async () => {
    await using scenario = await open(everyKind, { files });
    const { result } = await runAll(scenario);
    const [contents, state] = [describeEntries(scenario.workspace), await scenario.engine.readRun(result.runId)];
    await rewind(scenario, result.runId, 3);
    await rewind(scenario, result.runId, 1);
    const report = await rewind(scenario, result.runId, { kind: 'undo' });
    expect(report).toMatchObject({ aim: 'undo', step: null, isDone: true });
    await rewind(scenario, result.runId, { kind: 'undo' });
    expect(describeEntries(scenario.workspace)).toEqual(contents);
    const undone = await scenario.engine.readRun(result.runId);
    expect({ ...undone, seq: 0, lastAt: 0 }).toEqual({ ...state, seq: 0, lastAt: 0 });
    await expect(rewind(scenario, result.runId, { kind: 'undo' })).rejects.toMatchObject({ code: 'rewind-refused' });
    await rewind(scenario, result.runId, 3);
    await scenario.resume(result.runId);
    await expect(rewind(scenario, result.runId, { kind: 'undo' })).rejects.toMatchObject({ code: 'rewind-refused' });
  });

  it('of one file puts just that back and tells the model so, where it stands', async () => {
    await using scenario = await open(everyKind, { files });
    const run = await scenario.run({ budgets: { steps: 4 } }, { approve: 'all' });
    expect(run.result.outcome).toMatchObject({ kind: 'budget' });
    const { runId } = run.result;
    const before = await scenario.engine.readRun(runId);
    const contents = describeEntries(scenario.workspace);
    const report = await rewind(scenario, runId, { kind: 'file', step: 1, path: './log.txt' });
    expect(fatesOf(report)).toEqual({ 'log.txt': 'restored' });
    expect(describeEntries(scenario.workspace)).toEqual({ ...contents, 'log.txt': 'file 644 begin\none\nEND\n' });
    const after = await scenario.engine.readRun(runId);
    expect(after.outcome).toEqual(before.outcome);
    const [told] = (await scenario.engine.readEvents(runId)).filter((event) => event.type === 'observation');
    expect(told?.type === 'observation' ? await scenario.engine.readText(told.content) : '').toMatch(
      /A person has put these files back.*\n- restored log\.txt\n/,
    );
    const context = after.agents[rootAgentId]?.context ?? [];
    expect(context.slice(0, -1)).toEqual(before.agents[rootAgentId]?.context);
    await expect(rewind(scenario, runId, { kind: 'file', step: 1, path: 'absent' })).rejects.toMatchObject({
      code: 'usage',
    });
    await rewind(scenario, runId, { kind: 'undo' });
    expect(describeEntries(scenario.workspace)).toEqual(contents);
  });

  it('passes the guard: what policy denies by now is left as it is, and told', async () => {
    await using scenario = await open(everyKind.slice(0, 2), { files });
    const { result } = await runAll(scenario);
    const rules = { layers: [{ name: 'now', rules: [{ act: 'write', effect: 'deny', pattern: 'new/*' }] }] };
    writeFileSync(join(scenario.home, 'policy.jsonc'), JSON.stringify(rules));
    const preview = await rewind(scenario, result.runId, 0, { mode: 'preview' });
    const report = await rewind(scenario, result.runId, 0);
    expect(fatesOf(preview)).toEqual(fatesOf(report));
    expect(fatesOf(report)).toEqual({ 'log.txt': 'restored', 'new/file.txt': 'refused' });
    expect(scenario.read('new/file.txt')).toBe('first\n');
  });

  it('follows no link that has come to lie on the way, and writes nothing through it', async () => {
    await using scenario = await open([[write('sub/file.txt', 'by the run\n')]], {
      files: { 'sub/keep.txt': 'k\n', 'elsewhere/file.txt': 'a person keeps this\n' },
    });
    const { result } = await runAll(scenario);
    rmSync(join(scenario.workspace, 'sub'), { recursive: true });
    symlinkSync('elsewhere', join(scenario.workspace, 'sub'));
    const report = await rewind(scenario, result.runId, 0, { foreign: 'keep-copy' });
    expect(fatesOf(report)).toEqual({ 'sub/file.txt': 'left' });
    expect(scenario.read('elsewhere/file.txt')).toBe('a person keeps this\n');
  });

  it('gives back a file with a secret in it just as it was, and shows the secret nowhere', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const config = `aws_access_key_id = ${secret}\nmode = a\n`;
    await using scenario = await open([[read('config.ini'), edit('config.ini', 'mode = a', 'mode = b')]], {
      files: { 'config.ini': config },
    });
    const { result } = await runAll(scenario);
    const changed = scenario.read('config.ini');
    expect(changed).toContain('mode = b');
    await rewind(scenario, result.runId, 0);
    expect(scenario.read('config.ini')).toBe(config);
    await rewind(scenario, result.runId, { kind: 'undo' });
    expect(scenario.read('config.ini')).toBe(changed);
    expect(scanHome(scenario.home, [secret])).toEqual([]);
  });

  it('makes the directories again that a file needs and that somebody has removed', async () => {
    await using scenario = await open([[read('old/a.txt'), edit('old/a.txt', 'a', 'changed')]], { files });
    const { result } = await runAll(scenario);
    rmSync(join(scenario.workspace, 'old'), { recursive: true });
    await rewind(scenario, result.runId, 0, { foreign: 'keep-copy' });
    expect(scenario.read('old/a.txt')).toBe('a\n');
  });

  it('keeps the permissions of a file that was only edited', async () => {
    await using scenario = await open([[read('tool.sh'), edit('tool.sh', 'sh', 'bash')]], { files });
    chmodSync(join(scenario.workspace, 'tool.sh'), 0o750);
    const { result } = await runAll(scenario);
    await rewind(scenario, result.runId, 0);
    expect(describeEntries(scenario.workspace)['tool.sh']).toBe('file 750 #!/bin/sh\n');
  });

  it('of a run that a person has cancelled makes it one that can go on', async () => {
    await using scenario = await open(everyKind, { files });
    const handle = await scenario.start({}, { approve: 'all' });
    for await (const events of handle.events()) {
      if (events.some(({ type, step }) => type === 'step-finish' && step === 2))
        await scenario.engine.cancelRun(handle.runId, 'person:test');
    }
    expect((await handle.result).outcome).toMatchObject({ kind: 'cancelled' });
    await rewind(scenario, handle.runId, 1);
    expect((await scenario.resume(handle.runId)).result.outcome).toEqual({ kind: 'finished', checked: false });
  });

  it('is refused while somebody drives the run, of an unknown run, and where the workspace is another one', async () => {
    const fault = { kind: 'stall-after-headers' } as const;
    await using scenario = await openScenario(() => ({ fault }), { files });
    const handle = await scenario.start({}, { approve: 'all' });
    for await (const events of handle.events()) if (events.some(({ type }) => type === 'model-start')) break;
    const other = scenario.openEngine();
    const params = {
      actor: 'person:test',
      aim: { kind: 'step', step: 0 },
      mode: 'carry-out',
      foreign: 'leave',
    } as const;
    await expect(other.rewindRun(handle.runId, params)).rejects.toMatchObject({ code: 'run-owned' });
    handle.interrupt('SIGTERM');
    await handle.result;
    const unknown = handle.runId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    await expect(scenario.engine.rewindRun(unknown as RunId, params)).rejects.toMatchObject({ code: 'run-unknown' });
    const head = (await scenario.engine.readRun(handle.runId)).seq;
    renameSync(scenario.workspace, `${scenario.workspace}-moved`); // Its number is not free for the new one.
    mkdirSync(scenario.workspace);
    await expect(rewind(scenario, handle.runId, 0)).rejects.toMatchObject({ code: 'workspace-unusable' });
    expect((await scenario.engine.readRun(handle.runId)).seq).toBe(head);
  });
});

function toMessages(body: unknown) {
  const messages = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : null;
  if (!Array.isArray(messages)) throw new TypeError('A request has messages');
  return messages;
}
