// Runs that cannot be gone on with: each is refused with what is wrong and what can be done, and nothing is changed.
import { mkdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeStore } from '../support/change-store.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';

interface Row {
  readonly what: string;
  readonly spoil: (scenario: Scenario) => void;
  readonly exitCode: number;
  readonly code: string;
  readonly says: RegExp;
  readonly remedy: RegExp;
}

const change =
  (sql: string) =>
  ({ home }: Scenario): void =>
    changeStore(home, sql);

/** Also moves the whole contract into the store as it is, whatever it was compressed to. */
const editContract = `update blob set codec = 'raw', bytes = cast('{"goal":"Other","workspace":"/"}' as blob)
  where lower(hex(hash)) = (select json_extract(body, '$.contract.hash') from event where type = 'run-start')`;

const rows: readonly Row[] = [
  {
    what: 'that another machine drives',
    spoil: change("update lease set machine = 'far', boot = 'away', liveness = '', released_at = null"),
    exitCode: 2,
    code: 'run-owned',
    says: /another machine/,
    remedy: /io-studio takeover run-/,
  },
  {
    what: 'that a living process here drives',
    spoil: change(`update lease set pid = ${process.pid}, start_time = '', released_at = null`),
    exitCode: 2,
    code: 'run-owned',
    says: new RegExp(`process ${process.pid}`),
    remedy: /io-studio trace run-/,
  },
  {
    what: 'of a store of a later format',
    spoil: change('pragma user_version = 99'),
    exitCode: 8,
    code: 'store-newer',
    says: /its format is 99/,
    remedy: /Use that version/,
  },
  {
    what: 'with an event of a later version',
    spoil: change("update event set body = json_set(body, '$.version', 2) where seq = 2"),
    exitCode: 8,
    code: 'store-newer',
    says: /of version 2/,
    remedy: /the version of io-studio that wrote it/,
  },
  {
    what: 'of a store that was cut off',
    spoil: ({ home }) => truncateSync(join(home, 'journal.db'), statSync(join(home, 'journal.db')).size / 2),
    exitCode: 8,
    code: 'store-damaged',
    says: /journal\.db is damaged/,
    remedy: /backup/,
  },
  {
    what: 'with an event that is no JSON',
    spoil: change("update event set body = '{' where seq = 3"),
    exitCode: 8,
    code: 'store-damaged',
    says: /journal\.db is damaged/,
    remedy: /backup/,
  },
  {
    what: 'whose contract was edited in the store',
    spoil: change(editContract),
    exitCode: 8,
    code: 'store-damaged',
    says: /is not what was recorded/,
    remedy: /backup/,
  },
  {
    what: 'whose contract is no longer in the store',
    spoil: change(
      `pragma foreign_keys = off; delete from blob
       where lower(hex(hash)) = (select json_extract(body, '$.contract.hash') from event where type = 'run-start')`,
    ),
    exitCode: 8,
    code: 'blob-missing',
    says: /no content/,
    remedy: /pruned/,
  },
  {
    what: 'whose workspace is gone',
    spoil: ({ workspace }) => rmSync(workspace, { recursive: true }),
    exitCode: 2,
    code: 'workspace-unusable',
    says: /workspace/,
    remedy: /./,
  },
  {
    what: 'whose workspace is another directory by now',
    spoil({ workspace, home }) {
      renameSync(workspace, join(home, 'moved'));
      renameSync(join(home, 'other'), workspace);
    },
    exitCode: 2,
    code: 'workspace-unusable',
    says: /has been replaced/,
    remedy: /original directory back/,
  },
];

const resume = ({ home, environment }: Scenario, runId: string) =>
  runCli(['resume', runId, '--home', home, '--json'], { environment });

async function openInterrupted() {
  const scenario = await openScenario([{ calls: [{ tool: 'list_dir', arguments: { path: '.' } }] }, { text: 'Done.' }]);
  const { result } = await scenario.run({ budgets: { steps: 1 } });
  await scenario.engine.close();
  return { scenario, runId: result.runId };
}

describe('a run', () => {
  it.each(rows)('$what is refused as $code, with what can be done', async ({ spoil, exitCode, code, says, remedy }) => {
    const { scenario, runId } = await openInterrupted();
    await using _closed = scenario;
    mkdirSync(join(scenario.home, 'other'));
    scenario.exemptFromReplay();
    spoil(scenario);
    const end = await resume(scenario, runId);
    expect([end.exitCode, parseLines(end.stdout).at(-1)]).toEqual([
      exitCode,
      expect.objectContaining({
        error: { code, message: expect.stringMatching(says), remedy: expect.stringMatching(remedy) },
      }),
    ]);
    expect(scenario.server.requests.length).toBe(1);
  });

  it('that nobody knows is refused by name', async () => {
    const { scenario } = await openInterrupted();
    await using _closed = scenario;
    const end = await resume(scenario, 'run-01mcc5rm0060smg79sbwhk');
    expect([end.exitCode, parseLines(end.stdout).at(-1)?.error]).toMatchObject([2, { code: 'run-unknown' }]);
  });

  it('that is over gives its result again and asks nobody', async () => {
    await using scenario = await openScenario([{ text: 'Done.' }]);
    const { result } = await scenario.run();
    await scenario.engine.close();
    const end = await resume(scenario, result.runId);
    expect([end.exitCode, parseLines(end.stdout).at(-1)]).toMatchObject([0, { outcome: result.outcome }]);
    expect(scenario.server.requests.length).toBe(1);
  });
});
