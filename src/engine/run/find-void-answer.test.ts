import { describe, expect, it } from 'vitest';
import { createFloorSandbox } from '../../../test/support/floor-sandbox.ts';
import { type OpenedDriver, openDriver, toReply } from '../../../test/support/open-driver.ts';
import type { DriverEventBody } from '../../shared/event.ts';
import { rootAgentId } from '../../shared/id.ts';
import { decide } from './decide.ts';
import type { DecideParams } from './engine.ts';

const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };
const place = { agentId: rootAgentId, step: 1 };

/** A run that waits for an answer to its one question. */
async function openAsking(): Promise<OpenedDriver> {
  const driver = await openDriver({ posture: 'ask', replies: [toReply('', [write])] });
  await driver.performUntil('await-answer');
  return driver;
}

const requestOf = (driver: OpenedDriver): string => driver.events('approval-request')[0]?.request ?? '';

function answer(driver: OpenedDriver, decision: DecideParams['decision']) {
  const { home, journal, openPorts } = driver;
  const params = { request: requestOf(driver), decision, actor: 'person:ada' };
  return decide({ home, journal, redactor: openPorts.redactor, sandbox: createFloorSandbox(), params });
}

async function append({ ports: { recorder } }: OpenedDriver, body: DriverEventBody): Promise<void> {
  recorder.emit(place, body);
  await recorder.commit();
}

describe('whoever answers second is told', () => {
  it.each(['approve', 'deny'] as const)(
    'that the first answer (%s) counts, before and after the run has gone by it',
    async (decision) => {
      await using driver = await openAsking();
      await answer(driver, decision);
      const counts = {
        code: 'approval-answered',
        message: expect.stringMatching(/by person:ada .*that answer counts\.$/),
      };
      await expect(answer(driver, 'approve')).rejects.toMatchObject(counts);
      await driver.performUntil('finish-step');
      await expect(answer(driver, 'approve')).rejects.toMatchObject(counts);
    },
  );

  it.each<[string, (request: string) => DriverEventBody]>([
    ['lapsed', (request) => ({ type: 'approval-lapse', call: 0, request, because: 'a.txt is there now' })],
    [
      'ended with its run',
      () => ({ type: 'run-finish', outcome: { kind: 'cancelled', by: 'person:ada' }, activeMs: 0 }),
    ],
    [
      'was put an end to by a denial of the policy',
      () => ({
        type: 'act-judged',
        call: 0,
        act: 'write',
        target: 'a.txt',
        effect: 'deny',
        rule: null,
        layer: 'own',
        because: 'no',
      }),
    ],
  ])('that it counts for nothing where the question %s before the run had gone by it', async (_what, toEnd) => {
    await using driver = await openAsking();
    await answer(driver, 'approve');
    await append(driver, toEnd(requestOf(driver)));
    await expect(answer(driver, 'approve')).rejects.toMatchObject({
      code: 'approval-changed',
      message: expect.stringContaining('does not count, as its question was withdrawn before the run had gone by it.'),
    });
  });

  it('that it counts for nothing where it came too late', async () => {
    await using driver = await openAsking();
    const request = requestOf(driver);
    await append(driver, { type: 'approval-lapse', call: 0, request, because: 'a.txt is there now' });
    const body = { type: 'approval-decision', request, decision: 'approve', actor: 'person:ada' } as const;
    await driver.journal.writer.appendPerson(driver.lease.runId, { ...place, at: 1, body, subject: request }, []);
    await expect(answer(driver, 'approve')).rejects.toMatchObject({
      code: 'approval-changed',
      message: expect.stringContaining('does not count, as its question was not open any more when it came.'),
    });
  });

  it('that it counts for nothing where nobody with the credential of the home has given it', async () => {
    await using driver = await openAsking();
    const request = requestOf(driver);
    const body = { type: 'approval-decision', request, decision: 'approve', actor: 'person:ada' } as const;
    await driver.journal.writer.appendPerson(driver.lease.runId, { ...place, at: 1, body, subject: request }, []);
    await expect(answer(driver, 'deny')).rejects.toMatchObject({
      code: 'approval-changed',
      message: expect.stringContaining('does not count, as it was not made with the credential of this home.'),
    });
  });
});
