import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, toReply } from '../../../test/support/open-driver.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import type { ModelResult, ProviderFailure } from '../provider/model-provider.ts';
import { askModel } from './ask-model.ts';

const never = new AbortController().signal;
const root = { agentId: rootAgentId };
const action = {
  kind: 'reason',
  ...root,
  step: 1,
  attempt: 1,
  reservation: { inputTokens: 900, outputTokens: 300, costUsd: null },
} as const;

const fail = (failure: Partial<ProviderFailure>): ModelResult => ({
  kind: 'failure',
  failure: { class: 'server', message: 'Broken.', retryable: true, charge: 'unknown', ...failure },
});

async function ask(driver: OpenedDriver) {
  await askModel(driver.ports, action, never);
  await driver.ports.recorder.commit();
  return agentOf(driver.ports.recorder.state, root).phase;
}

describe('asking the model', () => {
  it('has its reservation durable before the request leaves, and sends no more output than was reserved', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    await ask(driver);
    expect(driver.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([300]);
    expect(driver.events('model-start')).toMatchObject([{ reservation: action.reservation, maxOutputTokens: 300 }]);
    expect(driver.ports.recorder.state.ledger).toMatchObject({
      settled: { inputTokens: 100 },
      outstanding: { requests: 0, tokens: 0 },
    });
  });

  it.each(['run-cancel', 'run-pause'] as const)(
    'sends nothing after a %s that came in this very moment',
    async (type) => {
      await using driver = await openDriver({ replies: [toReply('Done.')] });
      const event = { ...root, step: 0, at: 1, body: { type, actor: 'p' }, subject: null };
      await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
      await ask(driver);
      expect(driver.requests).toEqual([]);
      const { state } = driver.ports.recorder;
      expect([state.ledger.unknown.requests, agentOf(state, root).failures]).toEqual([0, 0]);
    },
  );

  it('takes its own bound for the usage of a reply whose provider reported none', async () => {
    const reply = toReply('Done.');
    if (reply.kind !== 'reply') throw new Error('It is a reply');
    await using driver = await openDriver({ replies: [{ ...reply, reply: { ...reply.reply, usage: null } }] });
    await ask(driver);
    expect(driver.events('model-finish')).toMatchObject([
      { usage: { inputTokens: 900, outputTokens: 300, cachedInputTokens: 0 }, usageEstimated: true },
    ]);
  });

  it.each(['length', 'filter'] as const)('carries out no call of a reply that was cut off by %s', async (finish) => {
    const read = { tool: 'read_file', arguments: { path: 'a.txt' } };
    await using driver = await openDriver({ replies: [toReply('', [read], finish)] });
    await ask(driver);
    expect(driver.events('model-finish')[0]?.calls).toEqual([
      {
        ...{ call: 0, id: 'c0', tool: 'read_file', fingerprint: expect.any(String) },
        unusable: expect.stringContaining('cut off'),
      },
    ]);
  });

  it('says of each unusable call why, and lets the others stand', async () => {
    const calls = [
      { tool: 'read_file', arguments: { path: 'a.txt' } },
      { tool: 'launch', arguments: {} },
      { tool: 'read_file', arguments: '{"path": ' },
      { tool: 'read_file', arguments: { file: 'a.txt' } },
    ];
    await using driver = await openDriver({ replies: [toReply('', calls)] });
    await ask(driver);
    expect(driver.events('model-finish')[0]?.calls.map(({ unusable }) => unusable)).toEqual([
      undefined,
      expect.stringMatching(/no tool named "launch".*read_file/),
      expect.stringContaining('not valid JSON'),
      expect.stringContaining('path'),
    ]);
  });

  it('masks a secret in the reason why a call is unusable', async () => {
    const secret = 'sk-known-0123456789';
    const calls = [{ tool: 'read_file', arguments: `${secret}` }];
    await using driver = await openDriver({ replies: [toReply('', calls)], knownSecrets: [secret] });
    await ask(driver);
    expect(JSON.stringify(driver.events('model-finish'))).not.toContain(secret);
  });

  it('takes silence for a failure that is paid for, not for the end of the work', async () => {
    await using driver = await openDriver({ replies: [toReply(' \n')] });
    expect(await ask(driver)).toMatchObject({ kind: 'backing-off', attempt: 1 });
    expect(driver.events('model-fail')).toMatchObject([{ failure: 'malformed', charge: 'known' }]);
    const { settled, unknown, outstanding } = driver.ports.recorder.state.ledger;
    expect([settled.inputTokens, unknown.requests, outstanding.requests]).toEqual([100, 0, 0]);
  });

  it('forgets what was being said once the reply is in', async () => {
    await using driver = await openDriver({ replies: [toReply('Done.')] });
    const { live } = driver.ports;
    live.publish({ type: 'text-delta', runId: driver.lease.runId, ...root, step: 1, text: 'Do' });
    await ask(driver);
    const late: LiveUpdate[] = [];
    live.subscribe((update) => late.push(update));
    expect(late).toEqual([]);
  });
});

describe('a failed attempt', () => {
  it.each<[string, Partial<ProviderFailure>, object | undefined, string]>([
    ['is repeated when that may help', {}, undefined, 'backing-off'],
    ['is not repeated when it cannot help', { retryable: false }, undefined, 'failed'],
    ['is not repeated when retries are forbidden', {}, { retries: 0 }, 'failed'],
    ['is repeated without a limit on retries', {}, { retries: null }, 'backing-off'],
    ['waits as long as the server asks', { retryAfterMs: 600_000 }, undefined, 'backing-off'],
    ['ends the run where that would be hours', { retryAfterMs: 7_200_000 }, undefined, 'failed'],
    ['ends the run where that is no time at all', { retryAfterMs: 1e30 }, undefined, 'failed'],
    ['ends the run where the time budget is over before', { retryAfterMs: 60_000 }, { wallMs: 50_000 }, 'failed'],
    [
      'is repeated at once when it was cut short here',
      { class: 'aborted', retryable: false },
      undefined,
      'backing-off',
    ],
  ])('%s', async (_what, failure, budgets, phase) => {
    const contract = budgets === undefined ? {} : { budgets };
    await using driver = await openDriver({ contract, replies: [fail(failure)] });
    expect((await ask(driver)).kind).toBe(phase);
  });

  it('keeps its reservation on the ledger when it may have been billed, and only then', async () => {
    await using billed = await openDriver({ replies: [fail({ charge: 'unknown' })] });
    await using free = await openDriver({ replies: [fail({ charge: 'none' })] });
    for (const driver of [billed, free]) await ask(driver);
    expect([billed, free].map(({ ports }) => ports.recorder.state.ledger.unknown)).toEqual([
      { requests: 1, tokens: 1200, costUsd: null },
      { requests: 0, tokens: 0, costUsd: null },
    ]);
  });

  it('tells what the provider said, with secrets masked', async () => {
    const secret = 'sk-known-0123456789';
    await using driver = await openDriver({
      replies: [fail({ message: `Bad key ${secret}.` })],
      knownSecrets: [secret],
    });
    await ask(driver);
    expect(driver.events('model-fail').map(({ message }) => message)).toEqual([expect.not.stringContaining(secret)]);
  });

  it('of a context that is too long is repeated with half of it, or ends where nothing can give way', async () => {
    const read = { tool: 'read_file', arguments: { path: 'long.txt' } };
    const overflow = fail({ class: 'context-overflow', retryable: false, charge: 'none' });
    const files = { 'long.txt': 'A line of some length.\n'.repeat(1000) };
    await using driver = await openDriver({ files, replies: [toReply('', [read]), toReply('', [read]), overflow] });
    await driver.performUntil('finish-step');
    await driver.performUntil('reason');
    await driver.performUntil('finish-step');
    await driver.performUntil('reason');
    const phase = await ask(driver);
    expect([phase.kind, driver.events('context-compact')]).toMatchObject(['backing-off', [{ replaced: 1 }]]);
    await using bare = await openDriver({ replies: [overflow] });
    expect((await ask(bare)).kind).toBe('failed');
  });
});
