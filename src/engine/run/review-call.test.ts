import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, toReply } from '../../../test/support/open-driver.ts';
import type { DriverEventBody, PersonEventBody } from '../../shared/event.ts';
import { rootAgentId } from '../../shared/id.ts';
import { noUsage } from '../../shared/usage.ts';
import { openCredential } from '../approval/credential.ts';
import { toDecisionStatement } from '../approval/decision-statement.ts';
import type { Review } from '../approval/review-request.ts';
import { driveRun } from './drive-run.ts';
import { reviewCall } from './review-call.ts';
import type { Reviewer } from './reviewer.ts';

const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'new' } });
const root = { agentId: rootAgentId, step: 1 };

/** A run whose questions go to a model that answers with what `review` makes of them. */
async function open(paths: readonly string[], review: Reviewer['review']) {
  const asked: string[] = [];
  const reviewer: Reviewer = {
    model: 'other',
    price: null,
    review: (details, maxOutputTokens, signal) => {
      asked.push(details.acts[0]?.act.target ?? '');
      return review(details, maxOutputTokens, signal);
    },
  };
  const driver = await openDriver({ posture: 'model', reviewer, replies: [toReply('', paths.map(write))] });
  return { driver, asked };
}

const approve: Review = { decision: 'approve', reason: 'it is harmless', usage: noUsage };

const say = ({ journal, lease }: OpenedDriver, body: PersonEventBody, subject: string | null = null) =>
  journal.writer.appendPerson(lease.runId, { ...root, at: 1, body, subject }, []);

describe('a review', () => {
  it('that the end of the process cut off is no answer: it is asked for again, and what it may have cost is kept', async () => {
    const interruption = new AbortController();
    const { driver, asked } = await open(['a.txt', 'b.txt'], async () => {
      interruption.abort('SIGTERM');
      return { decision: 'defer', reason: 'aborted', usage: null };
    });
    await using opened = driver;
    expect(await driveRun(opened.ports, interruption.signal)).toEqual({ kind: 'interrupted', signal: 'SIGTERM' });
    const { recorder } = opened.ports;
    expect([asked, opened.events('review-finish')]).toEqual([['a.txt'], []]);
    expect(recorder.state.ledger.unknown.requests).toBe(1);
    recorder.emit(root, resumed);
    await opened.performUntil('review');
    expect(opened.events('approval-request')).toHaveLength(2);
  });

  it('is the last one when the run was cancelled meanwhile', async () => {
    const { driver, asked } = await open(['a.txt', 'b.txt'], async () => {
      await say(driver, { type: 'run-cancel', actor: 'person:test' });
      return approve;
    });
    await using opened = driver;
    const outcome = await driveRun(opened.ports, new AbortController().signal);
    expect([outcome, asked]).toEqual([{ kind: 'cancelled', by: 'person:test' }, ['a.txt']]);
    expect(opened.events('call-start')).toEqual([]);
  });

  it('is not asked for, nor paid, when a person stops the agent in this very moment', async () => {
    const { driver, asked } = await open(['a.txt'], async () => approve);
    await using opened = driver;
    await opened.performUntil('review');
    await say(opened, { type: 'run-pause', actor: 'person:test' });
    await reviewCall(opened.ports, { kind: 'review', agentId: rootAgentId, call: 0 }, new AbortController().signal);
    expect([asked, opened.ports.recorder.state.ledger.unknown.requests]).toEqual([[], 0]);
  });

  it('is not asked for, nor paid, once a person has answered', async () => {
    const { driver, asked } = await open(['a.txt', 'b.txt'], async () => {
      await deny(driver, 1);
      return approve;
    });
    await using opened = driver;
    await opened.performUntil('finish-step');
    expect(asked).toEqual(['a.txt']);
    expect(opened.events('call-finish').map(({ target, status }) => `${target} ${status}`)).toEqual([
      'b.txt denied',
      'a.txt ok',
    ]);
  });

  it('loses to a person who answered the same question while it was under way', async () => {
    const { driver } = await open(['a.txt'], async () => {
      await deny(driver, 0);
      return approve;
    });
    await using opened = driver;
    await opened.performUntil('finish-step');
    expect([opened.events('call-start'), opened.events('call-finish').map(({ status }) => status)]).toEqual([
      [],
      ['denied'],
    ]);
  });
});

async function deny(driver: OpenedDriver, place: number): Promise<void> {
  const { request, digest } = driver.events('approval-request')[place] ?? {};
  if (request === undefined || digest === undefined) throw new Error(`There is no request ${place}`);
  const said = { type: 'approval-decision', request, digest, decision: 'deny', actor: 'person:test' } as const;
  const proof = openCredential(driver.home).sign(toDecisionStatement(driver.lease.runId, said));
  await say(driver, { ...said, proof }, request);
}

const resumed: DriverEventBody = {
  type: 'run-resume',
  provider: { name: 'scripted', wire: 'custom', baseUrl: null, model: 'script' },
  posture: 'model',
  reviewer: 'other',
  policyHash: 'policy',
  contextTokens: 128_000,
  price: null,
};
