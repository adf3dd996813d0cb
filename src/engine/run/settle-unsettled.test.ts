import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, scriptedChoice, toReply } from '../../../test/support/open-driver.ts';
import type { PersonEventBody, Posture } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { RecoveryPolicy } from '../../shared/recovery.ts';
import type { RecoverParams } from './engine.ts';
import { plan } from './plan.ts';
import { recover } from './recover.ts';
import { listRecoveries, readRecovery } from './recoveries.ts';

const place = { agentId: rootAgentId, step: 1 };
const secret = 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const fetch = { tool: 'fetch_url', arguments: { url: `http://a.example/?api_key=${secret}` } };

interface Wish {
  readonly posture?: Posture;
  readonly recovery?: RecoveryPolicy;
}

/** A driver that took over from one which died while a page was being fetched, and that has found so. */
async function openInterrupted(wish: Wish = {}): Promise<OpenedDriver> {
  const driver = await openDriver({
    posture: 'all',
    rules: [{ act: 'net', effect: 'ask', pattern: 'a.example' }],
    replies: [toReply('', [fetch])],
  });
  await driver.performUntil('start');
  await interrupt(driver, wish);
  return driver;
}

async function interrupt({ ports: { recorder } }: OpenedDriver, { posture = 'defer', recovery }: Wish): Promise<void> {
  recorder.emit(place, { type: 'call-start', call: 0, tool: 'fetch_url', class: 'indeterminate', risky: true });
  const settings = { provider: scriptedChoice, posture, policyHash: 'policy', price: null } as const;
  const chosen = recovery === undefined ? {} : { recovery };
  recorder.emit(place, { type: 'run-resume', ...settings, ...chosen, contextTokens: 128_000 });
  await recorder.commit();
}

function planNow({ ports: { recorder, tools } }: OpenedDriver) {
  recorder.catchUp();
  return plan(recorder.state, { activeMs: 0 }, (tool) => tools.get(tool)?.kind ?? 'write');
}

async function decide(driver: OpenedDriver, params: Omit<RecoverParams, 'request' | 'actor'>, request?: string) {
  const { home, journal, ports } = driver;
  const asked = request ?? driver.events('recovery-request').at(-1)?.request ?? '';
  return recover({
    home,
    journal,
    redactor: ports.redactor,
    params: { request: asked, actor: 'person:ada', ...params },
  });
}

const stageOf = ({ ports: { recorder } }: OpenedDriver) => callOf(agentOf(recorder.state, place), 0).stage.kind;

const finishes = (driver: OpenedDriver) =>
  driver.events('call-finish').map(({ status, result, changed }) => ({
    status,
    origin: result.origin,
    changed,
    text: Buffer.from(driver.ports.reader.readBlob(result.hash)).toString(),
  }));

describe('a call of which nobody can know whether it took effect', () => {
  it('is put to a person, with what it was and without the secrets in it, and nothing is done until then', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    const { runId } = driver.lease;
    const request = `${runId}:${rootAgentId}:1:0:recovery`;
    expect(planNow(driver)).toEqual([{ kind: 'stop', outcome: { kind: 'awaitingRecovery', calls: [request] } }]);
    const [listed, ...others] = listRecoveries(driver.journal.reader, runId);
    expect([listed, others]).toMatchObject([
      {
        request,
        runId,
        step: 1,
        call: 0,
        tool: 'fetch_url',
        answer: null,
        because: expect.stringContaining('interrupted'),
      },
      [],
    ]);
    expect(JSON.stringify([listed, driver.events('recovery-request')])).not.toContain(secret);
  });

  it('waits for somebody where the run waits for answers', async () => {
    await using driver = await openInterrupted({ posture: 'ask' });
    await driver.performUntil('await-answer');
    expect(stageOf(driver)).toBe('unsettled');
  });

  it('is left open by a person who cannot tell: then the run ends, and another may decide', async () => {
    await using driver = await openInterrupted({ posture: 'ask' });
    await driver.performUntil('await-answer');
    await decide(driver, { decision: 'defer' });
    await driver.performUntil('stop');
    expect(planNow(driver)).toMatchObject([{ kind: 'stop', outcome: { kind: 'awaitingRecovery' } }]);
    expect(listRecoveries(driver.journal.reader, driver.lease.runId)).toMatchObject([{ answer: null }]);
    await decide(driver, { decision: 'abort' });
    await driver.performUntil('finish-step');
    expect(finishes(driver)).toMatchObject([{ status: 'interrupted' }]);
  });

  it('that was left open is waited for again by whoever takes the run up', async () => {
    await using driver = await openInterrupted({ posture: 'ask' });
    await driver.performUntil('await-answer');
    await decide(driver, { decision: 'defer' });
    const settings = { provider: scriptedChoice, posture: 'ask', policyHash: 'policy', price: null } as const;
    driver.ports.recorder.emit(place, { type: 'run-resume', ...settings, contextTokens: 128_000 });
    await driver.performUntil('await-answer');
    expect(planNow(driver)).toMatchObject([{ kind: 'await-answer' }]);
  });

  it.each<[string, Wish]>([
    ['where questions are answered for everybody', { posture: 'all' }],
    ['where that was chosen', { posture: 'ask', recovery: 'tell-model' }],
  ])('is told to the model %s', async (_title, wish) => {
    await using driver = await openInterrupted(wish);
    await driver.performUntil('finish-step');
    expect([finishes(driver), driver.events('recovery-request')]).toMatchObject([
      [{ status: 'unknown', text: expect.stringContaining('cannot be told') }],
      [],
    ]);
  });

  it('is told to the model once nobody is to be asked any more', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    const settings = { provider: scriptedChoice, posture: 'all', policyHash: 'policy', price: null } as const;
    driver.ports.recorder.emit(place, { type: 'run-resume', ...settings, contextTokens: 128_000 });
    await driver.performUntil('finish-step');
    expect(finishes(driver)).toMatchObject([{ status: 'unknown' }]);
  });

  it('came to what a person says it came to, which is still the words of whoever it spoke to', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await decide(driver, { decision: 'completed', result: `Status 201, api_key = "${secret}"` });
    await driver.performUntil('finish-step');
    expect(finishes(driver)).toMatchObject([
      { status: 'ok', origin: 'web', text: expect.stringMatching(/person:ada says .*:\nStatus 201/s) },
    ]);
    expect(JSON.stringify([finishes(driver), driver.events('recovery-decision')])).not.toContain(secret);
  });

  it('is left alone where a person aborts it, and the model is told why', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await decide(driver, { decision: 'abort', reason: 'It costs money.' });
    await driver.performUntil('finish-step');
    expect([finishes(driver), driver.events('call-start').length]).toMatchObject([
      [{ status: 'interrupted', text: expect.stringMatching(/person:ada .*It costs money\./) }],
      1,
    ]);
  });

  it('is judged and asked about anew when a person wants it once more: the yes to its first start is used up', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await decide(driver, { decision: 'retry' });
    await driver.performUntil('stop');
    expect([stageOf(driver), driver.events('approval-request').length, planNow(driver)]).toMatchObject([
      'waiting',
      1,
      [{ kind: 'stop', outcome: { kind: 'awaitingApproval' } }],
    ]);
  });

  it('is asked about under another name when its second start was interrupted too', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await decide(driver, { decision: 'retry' });
    await driver.performUntil('stop');
    await interrupt(driver, {});
    await driver.performUntil('stop');
    const requests = driver.events('recovery-request').map(({ request, round }) => [request.split(':0:')[1], round]);
    expect([requests, planNow(driver)]).toMatchObject([
      [
        ['recovery', undefined],
        ['recovery:2', 2],
      ],
      [{ kind: 'stop', outcome: { kind: 'awaitingRecovery' } }],
    ]);
  });
});

describe('a decision about an interrupted call', () => {
  it('counts once: whoever is second is told who was first', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    const choices = await Promise.allSettled([
      decide(driver, { decision: 'abort' }),
      decide(driver, { decision: 'retry' }),
      decide(driver, { decision: 'completed', result: '' }),
    ]);
    expect(choices.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(decide(driver, { decision: 'retry' })).rejects.toMatchObject({
      code: 'recovery-answered',
      message: expect.stringMatching(/person:ada at .*: abort/),
    });
    const request = driver.events('recovery-request')[0]?.request ?? '';
    expect(readRecovery(driver.journal.reader, request).answer).toMatchObject({ decision: 'abort' });
    await driver.performUntil('finish-step');
    await expect(decide(driver, { decision: 'retry' })).rejects.toThrow('that decision counts');
  });

  it('that the run was ended before it went by it counts for nothing, and whoever is second is told so', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await decide(driver, { decision: 'retry' });
    const outcome = { kind: 'cancelled', by: 'person:ada' } as const;
    driver.ports.recorder.emit(place, { type: 'run-finish', outcome, activeMs: 0 });
    await driver.ports.recorder.commit();
    await expect(decide(driver, { decision: 'abort' })).rejects.toMatchObject({
      code: 'recovery-answered',
      message: expect.stringContaining('does not count, as its question was withdrawn before the run had gone by it.'),
    });
  });

  it('that was not made with the credential of the home does not count: it is asked again', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    const request = driver.events('recovery-request')[0]?.request ?? '';
    const body: PersonEventBody = {
      type: 'recovery-decision',
      call: 0,
      request,
      decision: 'retry',
      actor: 'person:ada',
    };
    const forged = { ...place, at: 1, body, subject: request };
    await driver.journal.writer.appendPerson(driver.lease.runId, forged, []);
    await driver.performUntil('settle');
    await driver.performUntil('stop');
    expect(driver.events('recovery-request').map(({ round }) => round)).toEqual([undefined, 2]);
    expect(driver.events('call-start').length).toBe(1);
  });

  it.each<[string, Omit<RecoverParams, 'request' | 'actor'>]>([
    ['completed without a result', { decision: 'completed' }],
    ['a retry with one', { decision: 'retry', result: 'x' }],
  ])('is refused as %s', async (_title, params) => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await expect(decide(driver, params)).rejects.toMatchObject({ code: 'usage' });
    expect(driver.events('recovery-decision')).toEqual([]);
  });

  it('is refused about what is not there, and about what the run has gone on without', async () => {
    await using driver = await openInterrupted();
    await driver.performUntil('stop');
    await expect(decide(driver, { decision: 'retry' }, 'run-x:root:1:0:recovery')).rejects.toMatchObject({
      code: 'recovery-unknown',
    });
    const settings = { provider: scriptedChoice, posture: 'all', policyHash: 'policy', price: null } as const;
    driver.ports.recorder.emit(place, { type: 'run-resume', ...settings, contextTokens: 128_000 });
    await driver.performUntil('finish-step');
    await expect(decide(driver, { decision: 'retry' })).rejects.toMatchObject({ code: 'recovery-answered' });
  });
});
