import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OpenedDriver, openDriver, scriptedChoice, toReply } from '../../../test/support/open-driver.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import { createBlob } from '../journal/create-blob.ts';
import { settleCall } from './settle-call.ts';

const place = { agentId: rootAgentId, step: 1 };
const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };

/** A driver that took over from one which died between the intent to write and its result. */
async function openInterrupted(before: string | null): Promise<OpenedDriver> {
  const files = before === null ? {} : { 'a.txt': before };
  const driver = await openDriver({ files, replies: [toReply('', [write])] });
  await driver.performUntil('start');
  const images = [before, 'new', 'Wrote a.txt.'].map((text) => createBlob(text ?? '', { origin: 'engine' }));
  const [old, after, result] = images;
  if (old === undefined || after === undefined || result === undefined) throw new Error('Three images');
  const { recorder } = driver.ports;
  const change = { path: 'a.txt', before: before === null ? null : old.ref, after: after.ref };
  recorder.emit(
    place,
    { type: 'call-start', call: 0, tool: 'write_file', class: 'compare', risky: true, change, result: result.ref },
    images,
  );
  const settings = { provider: scriptedChoice, posture: 'all', policyHash: 'policy', price: null } as const;
  recorder.emit(place, { type: 'run-resume', ...settings, contextTokens: 128_000 });
  await recorder.commit();
  return driver;
}

async function settle(driver: OpenedDriver) {
  await settleCall(driver.ports, { kind: 'settle', agentId: rootAgentId, call: 0 });
  await driver.ports.recorder.commit();
  const finish = driver.events('call-finish').map(({ status, changed, seen, result }) => ({
    status,
    changed,
    seen,
    text: Buffer.from(driver.ports.reader.readBlob(result.hash)).toString(),
  }));
  const { stage } = callOf(agentOf(driver.ports.recorder.state, place), 0);
  return { finish, stage: stage.kind, judged: driver.events('act-judged').length };
}

const put = (driver: OpenedDriver, content: string) => writeFileSync(join(driver.workspace, 'a.txt'), content);
const newHash = createBlob('new', { origin: 'engine' }).ref.hash;

const made = {
  finish: [{ status: 'ok', changed: true, seen: [{ path: 'a.txt', hash: newHash }], text: 'Wrote a.txt.' }],
  stage: 'finished',
  judged: 2,
};
const notMade = { finish: [], stage: 'judged', judged: 4 };
const unknown = {
  finish: [{ status: 'unknown', changed: false, seen: [], text: expect.stringMatching(/cannot be told.*a\.txt/) }],
  stage: 'finished',
  judged: 2,
};

describe('settling a change that a crash interrupted', () => {
  it('finishes one that was made as if nothing had happened, in the words that were kept for it', async () => {
    await using driver = await openInterrupted('old');
    put(driver, 'new');
    expect(await settle(driver)).toEqual(made);
  });

  it('judges one anew that was not made, so that it is made now', async () => {
    await using driver = await openInterrupted('old');
    expect(await settle(driver)).toEqual(notMade);
  });

  it('tells the model that nobody can know when neither image is there', async () => {
    await using driver = await openInterrupted('old');
    put(driver, 'something else');
    expect(await settle(driver)).toEqual(unknown);
  });

  it('decides the same on a file that was to be created', async () => {
    await using created = await openInterrupted(null);
    put(created, 'new');
    await using missing = await openInterrupted(null);
    await using other = await openInterrupted(null);
    put(other, 'something else');
    expect([await settle(created), await settle(missing), await settle(other)]).toEqual([made, notMade, unknown]);
  });

  it('does not take a file that is gone for one that was never changed', async () => {
    await using driver = await openInterrupted('old');
    rmSync(join(driver.workspace, 'a.txt'));
    expect(await settle(driver)).toEqual(unknown);
  });

  it('refuses to decide on what it cannot read', async () => {
    await using driver = await openInterrupted('old');
    rmSync(join(driver.workspace, 'a.txt'));
    mkdirSync(join(driver.workspace, 'a.txt'));
    await expect(settle(driver)).rejects.toMatchObject({ code: 'workspace-unusable' });
  });
});
