import { describe, expect, it } from 'vitest';
import { toReply } from '../../../test/support/open-driver.ts';
import { type OpenedTreeDriver, openTreeDriver } from '../../../test/support/open-tree-driver.ts';
import type { ModelResult } from '../provider/model-provider.ts';
import { driveRun } from './drive-run.ts';

const containment = { total: 20, concurrent: 4, depth: 3 };
const spawn = (more: object = {}) => ({ tool: 'spawn_agent', arguments: { goal: 'A part.', ...more } });
const waitForMail = { tool: 'read_messages', arguments: { seconds: 3000 } };
const drive = ({ ports }: OpenedTreeDriver) => driveRun(ports, new AbortController().signal);
const endsOf = (driver: OpenedTreeDriver) =>
  driver.events('agent-finish').map(({ agentId, outcome }) => [agentId, outcome.kind]);

const refused: ModelResult = {
  kind: 'failure',
  failure: { class: 'auth', message: 'No.', retryable: false, charge: 'none' },
};

/** A reply that is held back until something else has happened. */
const behind = (event: Promise<void>, reply: ModelResult) => async () => {
  await event;
  return reply;
};

describe('a tree of agents', () => {
  it('has a detached agent at work while the one that spawned it waits for a reply', async () => {
    const childHasAsked = Promise.withResolvers<void>();
    await using driver = await openTreeDriver(
      {
        root: [
          toReply('', [spawn({ detached: true })]),
          behind(childHasAsked.promise, toReply('Done.')),
          toReply('Yes.'),
        ],
        'root/1.0': [
          async () => {
            childHasAsked.resolve();
            return toReply('A part is done.');
          },
        ],
      },
      { contract: { containment } },
    );
    expect(await drive(driver)).toEqual({ kind: 'finished', checked: false });
  });

  it('goes on with one that waited for room as soon as there is some, whatever whoever left it does next', async () => {
    const secondHasAsked = Promise.withResolvers<void>();
    await using driver = await openTreeDriver(
      {
        root: [toReply('', [spawn(), spawn()]), toReply('Done.')],
        'root/1.0': [
          toReply('', [{ tool: 'list_dir', arguments: { path: '.' } }]),
          behind(secondHasAsked.promise, toReply('First.')),
        ],
        'root/1.1': [
          async () => {
            secondHasAsked.resolve();
            return toReply('Second.');
          },
        ],
      },
      // Two first requests do not fit, a first and a second one do.
      { contract: { containment: { ...containment, tokens: 30_000 } } },
    );
    expect(await drive(driver)).toEqual({ kind: 'finished', checked: false });
  });

  it('gives the place of an agent that was ended in the queue to somebody else', async () => {
    await using driver = await openTreeDriver(
      {
        root: [toReply('', [spawn()]), toReply('', [spawn()]), toReply('Done.')],
        'root/1.0': [toReply('', [spawn({ detached: true }), spawn({ detached: true })]), refused],
        'root/2.0': [toReply('Instead.')],
      },
      { contract: { containment: { ...containment, concurrent: 1 } } },
    );
    expect(await drive(driver)).toEqual({ kind: 'finished', checked: false });
    expect(endsOf(driver)).toEqual([
      ['root/1.0/1.1', 'cancelled'],
      ['root/1.0/1.0', 'cancelled'],
      ['root/1.0', 'providerFailed'],
      ['root/2.0', 'finished'],
    ]);
  });

  it('holds no agent longer than its own time, whatever it waits for', async () => {
    const children = [spawn({ budgets: { wallMs: 300 } }), spawn({ budgets: { wallMs: 300 } })];
    const replies = {
      root: [toReply('', children), toReply('Done.')],
      'root/1.0': [toReply('', [waitForMail])],
      'root/1.1': [toReply('', [spawn()])],
      'root/1.1/1.0': [toReply('', [waitForMail])],
    };
    await using driver = await openTreeDriver(replies, { contract: { containment } });
    expect(await drive(driver)).toEqual({ kind: 'finished', checked: false });
    const spent = driver.events('agent-finish').filter(({ outcome }) => outcome.kind === 'budget');
    expect(new Set(spent.map(({ agentId }) => agentId))).toEqual(new Set(['root/1.0', 'root/1.1', 'root/1.1/1.0']));
  });

  it('calls an agent whose time is over out of the queue', async () => {
    const firstMayAnswer = Promise.withResolvers<void>();
    await using driver = await openTreeDriver(
      {
        root: [toReply('', [spawn(), spawn({ budgets: { wallMs: 200 } })]), toReply('Done.')],
        'root/1.0': [behind(firstMayAnswer.promise, toReply('First.'))],
      },
      { contract: { containment: { ...containment, concurrent: 1 } } },
    );
    const outcome = drive(driver);
    await untilEnd(driver, 'root/1.1');
    firstMayAnswer.resolve();
    expect(await outcome).toEqual({ kind: 'finished', checked: false });
    expect(endsOf(driver)).toEqual([
      ['root/1.1', 'budget'],
      ['root/1.0', 'finished'],
    ]);
  });

  it('ends when the time of the tree is over, whatever its agents wait for', async () => {
    const replies = { root: [toReply('', [spawn()])], 'root/1.0': [toReply('', [waitForMail])] };
    await using driver = await openTreeDriver(replies, { contract: { containment: { ...containment, wallMs: 300 } } });
    expect(await drive(driver)).toMatchObject({ kind: 'budget', which: 'wallMs' });
  });
});

async function untilEnd({ ports, lease }: OpenedTreeDriver, agent: string): Promise<void> {
  for await (const batch of ports.reader.watch(lease.runId, 0, new AbortController().signal)) {
    if (batch.some(({ type, agentId }) => type === 'agent-finish' && agentId === agent)) return;
  }
}
