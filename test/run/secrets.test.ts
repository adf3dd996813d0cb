// No secret enters the journal readable. The model is shown the masked form too, and where an original must come back whole
// it is sealed: after every run, each byte of the home is searched for the values that went through it.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario, scenarioKey } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import { scanHome } from '../support/scan-home.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';

const claim: ScriptedReply = { text: 'Done.' };
const random = (bytes: number) => randomBytes(bytes).toString('hex');

/** Fake secrets of this run: values that only their names give away, and values of a known shape. */
const secrets = {
  environmentFile: `env${random(12)}`,
  vendor: `tvly-${random(12)}`,
  internal: `${random(16)}`,
  password: `Correct${random(6)}Horse`,
  header: `${random(20)}`,
  cloud: `AKIA${random(8)
    .toUpperCase()
    .replaceAll(/[^A-Z2-7]/g, 'Q')}`,
  hosting: `ghp_${random(18)}`,
  database: `pw${random(8)}`,
};
const values = Object.values(secrets);

const configuration = `# keys
TVLY_KEY=${secrets.vendor}
ACME_INTERNAL_TOKEN=${secrets.internal}
password: "${secrets.password}"
X-Internal-Token: ${secrets.header}
aws = ${secrets.cloud}
push with ${secrets.hosting}
DATABASE_URL=postgres://app:${secrets.database}@db.internal/app
harmless = yes
`;

describe('secrets in the workspace', () => {
  it('of an environment file are not read, found or listed by content (anthropics/claude-code#38417)', async () => {
    const calls = [
      { tool: 'read_file', arguments: { path: '.env' } },
      { tool: 'grep', arguments: { pattern: 'SERVICE', path: '.' } },
      { tool: 'edit_file', arguments: { path: '.env', old: 'SERVICE', new: 'SERVER' } },
    ];
    const files = { '.env': `SERVICE=${secrets.environmentFile}\n`, 'a.txt': 'SERVICE here\n' };
    await using scenario = await openScenario([{ calls }, claim], { files });
    await scenario.run({}, { approve: 'all' });
    const results = scenario.messages(1).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Not allowed: read of "\.env" is denied/),
      'a.txt:1: SERVICE here',
      expect.stringMatching(/^Not allowed: (read|write) of "\.env" is denied/),
    ]);
    expect(scanHome(scenario.home, values)).toEqual([]);
  });

  it('of other files are masked, by name and by shape, before the model sees them (NousResearch/hermes-agent#72925)', async () => {
    const calls = [
      { tool: 'read_file', arguments: { path: 'settings.txt' } },
      { tool: 'grep', arguments: { pattern: 'KEY|TOKEN|password|Token|aws|push|DATABASE' } },
    ];
    await using scenario = await openScenario([{ calls }, claim], { files: { 'settings.txt': configuration } });
    await scenario.run();
    const shown = JSON.stringify(scenario.messages(1));
    expect(values.filter((value) => shown.includes(value))).toEqual([]);
    expect(shown).toContain('harmless = yes');
    expect(scanHome(scenario.home, values)).toEqual([]);
    await scenario.engine.close();
    expect(scanHome(scenario.home, values)).toEqual([]);
  });

  it('stay in a file that is edited beside them, and come back after a crash', async () => {
    const calls = [
      { tool: 'edit_file', arguments: { path: 'settings.txt', old: 'harmless = yes', new: 'harmless = no' } },
    ];
    const files = { 'settings.txt': configuration };
    await using scenario = await openScenario([{ calls }, claim], { files });
    // The second commit of the run that follows the verdict is the intent; the process ends right after the change.
    const input = JSON.stringify(scenario.contract());
    for (const nth of [3, 4]) {
      await runCli(['run', '--contract', '-', '--approve', 'all', '--home', scenario.home], {
        environment: { ...scenario.environment, IO_STUDIO_CRASH_POINT: `before-commit:${nth}` },
        input,
      });
      const [run] = await scenario.engine.listRuns();
      if (run === undefined) throw new Error('The run is not in the journal');
      await scenario.resume(run.runId);
      expect(scenario.read('settings.txt')).toBe(configuration.replace('= yes', '= no'));
      scenario.write('settings.txt', configuration);
    }
    expect(scanHome(scenario.home, values)).toEqual([]);
  });
});

describe('secrets elsewhere', () => {
  it('in the output of a check are masked in its evidence, for people and for the model', async () => {
    const argv: [string, ...string[]] = ['sh', '-c', 'cat settings.txt; cat settings.txt >&2; exit 1'];
    await using scenario = await openScenario(() => claim, { files: { 'settings.txt': configuration } });
    const { result } = await scenario.run({ verification: { kind: 'command', argv } });
    const told = JSON.stringify([scenario.messages(-1), result]);
    expect(values.filter((value) => told.includes(value))).toEqual([]);
    expect(result.evidence?.text).toContain('harmless = yes');
    expect(scanHome(scenario.home, values)).toEqual([]);
  });

  it('in what the model writes reach the file and come back to it unaltered, but are sealed in the journal', async () => {
    const write = { tool: 'write_file', arguments: { path: 'made.txt', content: configuration } };
    await using scenario = await openScenario([{ text: `It is ${secrets.hosting}.`, calls: [write] }, claim]);
    await scenario.run({}, { approve: 'all' });
    expect(scenario.read('made.txt')).toBe(configuration);
    expect(scenario.messages(1)[2]).toEqual({
      role: 'assistant',
      content: `It is ${secrets.hosting}.`,
      tool_calls: [
        {
          id: 'call_0_0',
          type: 'function',
          function: { name: 'write_file', arguments: JSON.stringify(write.arguments) },
        },
      ],
    });
    expect(scanHome(scenario.home, values)).toEqual([]);
  });

  it('in a goal, in the names of files and in what is searched for are masked', async () => {
    const path = `${secrets.hosting}.pem`;
    const calls = [
      { tool: 'read_file', arguments: { path } },
      { tool: 'list_dir', arguments: { path: secrets.hosting } },
      { tool: 'grep', arguments: { pattern: secrets.hosting } },
      { tool: 'find', arguments: { pattern: secrets.hosting } },
    ];
    await using scenario = await openScenario([{ calls }, claim], { files: { [path]: 'x' } });
    await scenario.run({ goal: `Use TVLY_KEY=${secrets.vendor}` });
    expect(scanHome(scenario.home, values)).toEqual([]);
  });

  it("the provider's own key is masked when its server echoes it", async () => {
    await using scenario = await openScenario([{ ...claim, fault: { kind: 'echo-key' } }]);
    const { result, events } = await scenario.run();
    expect(result.outcome.kind).toBe('providerFailed');
    expect(scenario.server.requests[0]?.authorization).toBe(`Bearer ${scenarioKey}`);
    expect(JSON.stringify([result, events])).not.toContain(scenarioKey);
    expect(scanHome(scenario.home, [scenarioKey])).toEqual([]);
  });

  it("the provider's own key is masked when the model says it, live too", async () => {
    await using scenario = await openScenario([{ text: `The key is ${scenarioKey}, is it not?` }]);
    const handle = await scenario.start();
    let heard = '';
    handle.onLive((update) => {
      if (update.type === 'text-delta') heard += update.text;
    });
    const { outcome } = await handle.result;
    expect(outcome.kind).toBe('finished');
    expect(scanHome(scenario.home, [scenarioKey])).toEqual([]);
    expect(heard).not.toContain(scenarioKey);
  });

  it("the provider's own key is written nowhere, however a call spells it", async () => {
    const escaped = [...scenarioKey].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const calls = [
      { tool: 'write_file', arguments: { path: 'a.txt', content: `key=${scenarioKey}` } },
      { tool: 'write_file', arguments: `{"path": "b.txt", "content": "${escaped.join('')}"}` },
      { tool: 'grep', arguments: { pattern: Buffer.from(scenarioKey).toString('base64') } },
      { tool: 'write_file', arguments: { path: 'c.txt', content: 'harmless' } },
    ];
    await using scenario = await openScenario([{ calls }, claim]);
    await scenario.run({}, { approve: 'all' });
    expect(readdirSync(scenario.workspace)).toEqual(['c.txt']);
    const results = scenario.messages(1).filter(({ role }) => role === 'tool');
    const refused = expect.stringMatching(/^The arguments hold a key that the engine uses itself\./);
    expect(results.map(({ content }) => content)).toEqual([
      refused,
      refused,
      refused,
      expect.stringMatching(/^Created/),
    ]);
    expect(scanHome(scenario.home, [scenarioKey])).toEqual([]);
  });

  it('of the environment do not reach the commands of a check', async () => {
    await using scenario = await openScenario(() => claim, { environment: { OPENROUTER_API_KEY: secrets.hosting } });
    const verify = 'env; tr "\\0" "\\n" < /proc/self/environ; exit 1';
    const end = await runCli(
      ['run', '--goal', 'x', '--verify', verify, '--provider', 'openai', '--home', scenario.home, '--json'],
      {
        environment: { ...scenario.environment, AWS_SECRET_ACCESS_KEY: secrets.cloud },
        directory: scenario.workspace,
      },
    );
    const seen = end.stdout;
    expect([end.exitCode, seen.includes('PATH=')]).toEqual([1, true]);
    expect([scenarioKey, secrets.hosting, secrets.cloud].filter((value) => seen.includes(value))).toEqual([]);
    expect(scanHome(scenario.home, [scenarioKey, secrets.hosting, secrets.cloud])).toEqual([]);
  });
});
