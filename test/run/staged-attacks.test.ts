// What a hostile command could leave: names that pass for lines, secrets in odd places, links that lead elsewhere, and
// answers that come to something else than what was asked. None of it reaches the workspace unseen.
import { chmodSync, existsSync, lstatSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootAgentId } from '../../src/shared/id.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { scanHome } from '../support/scan-home.ts';
import type { Script } from '../support/scripted-model-script.ts';

const rules = {
  layers: [
    {
      name: 'test',
      rules: [
        { act: 'exec', effect: 'allow', pattern: '*' },
        { act: 'write', effect: 'allow', pattern: 'free/*' },
        { act: 'write', effect: 'deny', pattern: 'shut/*' },
        { act: 'read', effect: 'deny', pattern: 'private.txt' },
      ],
    },
  ],
};

const files = {
  'policy.jsonc': JSON.stringify(rules),
  'free/old.txt': 'old\n',
  'shut/kept.txt': 'kept\n',
  'asked.txt': 'before\n',
  'private.txt': 'nobody reads this\n',
};

async function open(work: string, more: Readonly<Record<string, string>> = {}): Promise<Scenario> {
  const call = { tool: 'shell', arguments: { command: './work' } };
  const script: Script = ({ position }) => (position === 0 ? { calls: [call] } : { text: 'Done.' });
  const scenario = await openScenario(script, { files: { ...files, ...more, work: `#!/bin/bash\n${work}\n` } });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  return scenario;
}

const settings = ({ workspace }: Scenario) => ({ policyFile: join(workspace, 'policy.jsonc') });
const toldOf = (scenario: Scenario): string =>
  String(scenario.messages(-1).findLast(({ role }) => role === 'tool')?.content);
const at = ({ workspace }: Scenario, path: string): string => join(workspace, path);

async function ask(scenario: Scenario) {
  const { result } = await scenario.run({}, settings(scenario));
  const [asked] = await scenario.engine.listApprovals();
  if (asked === undefined) throw new Error(`nothing was asked: ${JSON.stringify(result.outcome)}\n${toldOf(scenario)}`);
  return { runId: result.runId, asked, request: asked.request };
}

describe('what a command has left', () => {
  it('cannot be approved with other arguments, which would change nothing of it', async () => {
    await using scenario = await open('echo after > asked.txt');
    const { request } = await ask(scenario);
    const rewrite = { command: 'true' };
    const rewriting = scenario.engine.decide({ request, decision: 'approve', actor: 'person:test', rewrite });
    await expect(rewriting).rejects.toMatchObject({
      code: 'rewrite-invalid',
      message: expect.stringContaining('its command has run already'),
    });
    expect((await scenario.engine.listApprovals()).map(({ request }) => request)).toEqual([request]);
  });

  it('is shown with its modes, its removals, its empty files and what a link becomes, each under its own name', async () => {
    await using scenario = await open(
      String.raw`rm asked.txt; : > emptied.txt; : > empty; chmod +x free/old.txt; rm link; printf 'run me\n' > link; chmod 755 link
      printf 'x\n' > $'name\nasked.txt: nothing would become nothing.'; mkdir dir`,
      { 'emptied.txt': 'full\n' },
    );
    symlinkSync('free/old.txt', at(scenario, 'link'));
    const { asked } = await ask(scenario);
    expect([asked.act, asked.target]).toEqual(['write', 'asked.txt and 5 more']);
    expect(asked.details.content).toEqual({
      kind: 'diff',
      text: [
        'asked.txt: a file of 7 bytes (mode 644) would become nothing.\n@@ -1,1 +0,0 @@\n-before\n',
        'dir: nothing would become a directory (mode 755).\n',
        'emptied.txt: a file of 5 bytes (mode 644) would become a file of 0 bytes (mode 644).\n@@ -1,1 +0,0 @@\n-full\n',
        'empty: nothing would become a file of 0 bytes (mode 644).\n',
        'free/old.txt: a file of 4 bytes (mode 644) would become a file of 4 bytes (mode 755).\n',
        'link: a link to "free/old.txt" would become a file of 7 bytes (mode 755).\n@@ -0,0 +1,1 @@\n+run me\n',
        '"name\\nasked.txt: nothing would become nothing.": nothing would become a file of 2 bytes (mode 644).\n@@ -0,0 +1,1 @@\n+x\n',
      ].join('\n'),
    });
  });

  it.each(['approve', 'deny'] as const)(
    'makes what its agent saw sensitive where its command told a secret, also after a word to %s it',
    async (decision) => {
      const secret = `ghp_${'Q7x'.repeat(8)}`;
      await using scenario = await open(`echo ${secret}; echo after > asked.txt`);
      const { runId, request } = await ask(scenario);
      await scenario.engine.decide({ request, decision, actor: 'person:test' });
      await scenario.resume(runId);
      const state = await scenario.engine.readRun(runId);
      expect(state.agents[rootAgentId]?.label.sensitive).toMatchObject({ origin: 'command' });
      expect(toldOf(scenario)).not.toContain(secret);
    },
  );

  it('keeps no secret readable, in contents that lie side by side or in names', async () => {
    const key = `AKIA${'Q7XZ'.repeat(4)}`;
    const token = `ghp_${'Q7x'.repeat(8)}`;
    await using scenario = await open(
      `printf %s ${key} > free/a; printf more > free/b; printf %s word > free/c; printf %s ${token} > free/d; echo x > free/${token}.txt; echo ${token} > asked.txt`,
    );
    const { runId, request } = await ask(scenario);
    await scenario.engine.decide({ request, decision: 'approve', actor: 'person:test' });
    await scenario.resume(runId);
    expect([scenario.read('free/a'), scenario.read('free/d')]).toEqual([key, token]);
    expect(scanHome(scenario.home, [key, token])).toEqual([]);
  });

  it('is asked about where it would change what Git runs', async () => {
    await using scenario = await open(
      'echo "[core]" > .git/config; printf "#!/bin/sh\\n" > .git/hooks/pre-commit; mkdir -p sub/.git/hooks; echo x > sub/.git/hooks/pre-push; ln -s .git/hooks free/h',
      { '.git/config': '[user]\n', '.git/hooks/x': '' },
    );
    const { asked } = await ask(scenario);
    expect(scenario.read('.git/config')).toBe('[user]\n');
    const effects = asked.details.acts.map(({ act, verdict }) => `${verdict.effect} ${act.target}`);
    expect(effects).toEqual(expect.arrayContaining(['ask .git/config', 'ask .git/hooks/pre-commit']));
    expect(effects.filter((effect) => effect.startsWith('allow')).every((effect) => effect.includes('free/'))).toBe(
      true,
    );
  });

  it('reaches nothing hidden or shut by a new name for it', async () => {
    const work = [
      'echo mine > private.txt; mv private.txt free/moved; ln -s ../private.txt free/p; ln -s p free/q',
      'ln -s /etc/passwd free/e; ln -s ../../outside free/o; mkdir free/d; ln -s ../../shut/kept.txt free/d/k',
      'ln -s ../shut free/s; mv shut free/shut',
    ].join('; ');
    const lines = [work, 'echo x > free/s/kept.txt; rm free/s/kept.txt; echo x > free/s/new; cat private.txt'];
    const script: Script = ({ position }) => {
      const command = lines[position];
      return command === undefined
        ? { text: 'Done.' }
        : { calls: [{ tool: 'exec', arguments: { argv: ['bash', '-c', command] } }] };
    };
    await using scenario = await openScenario(script, { files });
    await scenario.run({}, { ...settings(scenario), approve: 'all' });
    const isThere = (name: string) => lstatSync(at(scenario, name), { throwIfNoEntry: false }) !== undefined;
    expect({
      private: scenario.read('private.txt'),
      kept: scenario.read('shut/kept.txt'),
      made: ['free/p', 'free/q', 'free/e', 'free/o', 'free/d/k', 'shut/new'].filter(isThere),
      told: toldOf(scenario).includes('nobody reads this'),
    }).toEqual({ private: 'nobody reads this\n', kept: 'kept\n', made: [], told: false });
    expect(scenario.messages(-1).filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  it('is made nowhere else when a directory has become a link before the answer', async () => {
    await using scenario = await open('echo x > free/x; echo after > asked.txt');
    const { runId, request } = await ask(scenario);
    renameSync(at(scenario, 'free'), at(scenario, 'free-before'));
    symlinkSync('shut', at(scenario, 'free'));
    await scenario.engine.decide({ request, decision: 'approve', actor: 'person:test' });
    const again = await scenario.resume(runId);
    expect(again.result.outcome.kind).toBe('awaitingApproval');
    await scenario.resume(runId, { approve: 'all' });
    expect(toldOf(scenario)).toContain('which is "shut/x", is denied');
    expect([existsSync(at(scenario, 'shut/x')), existsSync(at(scenario, 'free-before/x'))]).toEqual([false, false]);
  });

  it('is made to its end by the next driver where the process was asked to stop meanwhile', async () => {
    await using scenario = await open('mkdir free/many; for i in {1..1000}; do echo $i > free/many/$i; done');
    const handle = await scenario.start({}, { ...settings(scenario), approve: 'all' });
    let started = 0;
    for await (const events of handle.events()) {
      started += events.filter(({ type }) => type === 'call-start').length;
      if (started === 2) handle.interrupt('SIGTERM');
    }
    expect((await handle.result).outcome.kind).toBe('interrupted');
    expect(existsSync(at(scenario, 'free/many/999'))).toBe(false);
    const again = await scenario.resume(handle.runId);
    expect(again.result.outcome.kind).toBe('finished');
    expect([1, 500, 999].map((name) => scenario.read(`free/many/${name}`))).toEqual(['1\n', '500\n', '999\n']);
    expect(toldOf(scenario)).not.toContain('Not changed');
  });

  it('is judged by another policy as it was by its own', async () => {
    const secret = `ghp_${'Q7x'.repeat(8)}`;
    const run = { tool: 'shell', arguments: { command: 'cat told.txt' } };
    const script: Script = ({ position }) => (position < 2 ? { calls: [run] } : { text: 'Done.' });
    await using scenario = await openScenario(script, { files: { ...files, 'told.txt': secret } });
    const { result } = await scenario.run({}, settings(scenario));
    const { differences } = await scenario.engine.simulate(result.runId, at(scenario, 'policy.jsonc'));
    expect([result.outcome.kind, differences]).toEqual(['finished', []]);
  });
});
