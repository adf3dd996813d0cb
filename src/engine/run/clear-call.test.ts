import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type OpenDriverOptions,
  type OpenedDriver,
  openDriver,
  scriptedChoice,
  toReply,
} from '../../../test/support/open-driver.ts';
import type { PersonEventBody } from '../../shared/event.ts';
import { rootAgentId } from '../../shared/id.ts';
import { openCredential } from '../approval/credential.ts';
import { toDecisionStatement } from '../approval/decision-statement.ts';
import { createBlob } from '../journal/create-blob.ts';
import { readRequestDetails } from './request-details.ts';

type Decision = Extract<PersonEventBody, { type: 'approval-decision' }>;

const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } });

const open = (options: OpenDriverOptions) => openDriver({ posture: 'ask', ...options });

/** Has the agent ask, then gives the answer a person would, by the credential of the home unless `proof` says otherwise. */
async function answer(
  { lease, home, events, journal }: OpenedDriver,
  { place = 0, proof, rewrite, ...said }: Partial<Decision> & { place?: number; arguments?: object },
): Promise<void> {
  const request = events('approval-request')[place];
  if (request?.digest === undefined) throw new Error(`There is no request ${place}`);
  const blob = said.arguments === undefined ? null : createBlob(JSON.stringify(said.arguments), { origin: 'person' });
  const unsigned: Decision = {
    type: 'approval-decision',
    request: request.request,
    digest: said.digest ?? request.digest,
    decision: said.decision ?? 'approve',
    actor: 'person:test',
    ...(blob === null ? {} : { rewrite: blob.ref }),
  };
  const signed = { ...unsigned, proof: proof ?? openCredential(home).sign(toDecisionStatement(lease.runId, unsigned)) };
  const event = { agentId: rootAgentId, step: 1, at: 1, body: signed, subject: request.request };
  await journal.writer.appendPerson(lease.runId, event, blob === null ? [] : [blob]);
}

/** The driver dies after it has announced the start, and another one takes over. */
function crash({ ports: { recorder } }: OpenedDriver, approval: string): void {
  const place = { agentId: rootAgentId, step: 1 };
  const after = createBlob('better', { origin: 'model' });
  const change = { path: 'a.txt', before: null, after: after.ref };
  const start = { type: 'call-start', call: 0, tool: 'write_file', class: 'compare', risky: true } as const;
  recorder.emit(place, { ...start, approval, change }, [after]);
  const settings = { posture: 'ask', policyHash: 'policy', contextTokens: 128_000, price: null } as const;
  recorder.emit(place, { type: 'run-resume', provider: scriptedChoice, ...settings });
}

const secret = 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0';

const read = ({ workspace }: OpenedDriver, path: string) => readFileSync(join(workspace, path), 'utf8');

describe('a call that a person approved', () => {
  it('starts once, and its start names the request it consumes', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, {});
    await driver.performUntil('finish-step');
    const [request] = driver.events('approval-request');
    expect(driver.events('call-start').map(({ approval, risky }) => ({ approval, risky }))).toEqual([
      { approval: request?.request, risky: true },
    ]);
    expect(read(driver, 'a.txt')).toBe('new');
  });

  it('asks again, and says what is different, when the file has changed meanwhile', async () => {
    await using driver = await open({ replies: [toReply('', [write('b.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, {});
    writeFileSync(join(driver.workspace, 'b.txt'), 'somebody else was here');
    await driver.performUntil('await-answer');
    expect(driver.events('call-start')).toEqual([]);
    const [, again] = driver.events('approval-request');
    const details = readRequestDetails(driver.ports.reader, again?.details ?? fail());
    expect([details.differences.join(), details.content.text]).toEqual([
      expect.stringContaining('b.txt'),
      expect.stringContaining('-somebody else was here'),
    ]);
    expect(read(driver, 'b.txt')).toBe('somebody else was here');
  });

  it('does not count an answer that was not made with the credential of the home', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { proof: '0'.repeat(64) });
    await driver.performUntil('await-answer');
    expect(driver.events('approval-lapse').map(({ because }) => because)).toEqual([
      'the answer was not made with the credential of this home',
    ]);
    expect(driver.events('approval-request').map(({ request }) => request.split(':').slice(1).join(':'))).toEqual([
      'root:1:0',
      'root:1:0:2',
    ]);
    expect(driver.events('call-start')).toEqual([]);
  });

  it('lapses in words that hold no secret of its arguments and name only what is different', async () => {
    const command = `grep ${secret} b.txt`;
    const replies = [toReply('', [{ tool: 'shell', arguments: { command } }])];
    await using driver = await open({ files: { 'b.txt': 'b' }, replies });
    await driver.performUntil('await-answer');
    await answer(driver, {});
    writeFileSync(join(driver.workspace, 'b.txt'), 'somebody else was here');
    await driver.performUntil('await-answer');
    expect(driver.events('approval-lapse').map(({ because }) => because)).toEqual(['b.txt is no longer what it was']);
    const [, again] = driver.events('approval-request');
    const { differences } = readRequestDetails(driver.ports.reader, again?.details ?? fail());
    expect(differences).toEqual(['b.txt is no longer what it was']);
  });

  it('is described without the secrets in its acts', async () => {
    const replies = [toReply('', [write(`${secret}.txt`, 'new')])];
    await using driver = await open({ replies });
    await driver.performUntil('await-answer');
    const [request] = driver.events('approval-request');
    const details = Buffer.from(driver.ports.reader.readBlob(request?.details?.hash ?? fail())).toString();
    expect(details + JSON.stringify(driver.events('act-judged'))).not.toContain(secret);
  });

  it('is asked about again as it was rewritten when its start was cut off, and then made so', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { arguments: { path: 'a.txt', content: 'better' } });
    await driver.performUntil('start');
    crash(driver, driver.events('approval-request')[0]?.request ?? fail());
    await driver.performUntil('await-answer');
    const [, again] = driver.events('approval-request');
    expect(readRequestDetails(driver.ports.reader, again?.details ?? fail()).content.text).toBe('better');
    await answer(driver, { place: 1 });
    await driver.performUntil('finish-step');
    expect([driver.events('approval-lapse'), read(driver, 'a.txt')]).toEqual([[], 'better']);
  });

  it('does not count an answer to something else than what was asked, however well it is signed', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { digest: 'f'.repeat(64) });
    await driver.performUntil('await-answer');
    expect(driver.events('approval-lapse').map(({ because }) => because)).toEqual([
      'the answer is to something else than what was asked',
    ]);
    expect(driver.events('call-start')).toEqual([]);
  });

  it('is made as the person rewrote it, and the model is told so', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { arguments: { path: 'a.txt', content: 'better' } });
    await driver.performUntil('finish-step');
    expect(read(driver, 'a.txt')).toBe('better');
    const [finish] = driver.events('call-finish');
    const told = Buffer.from(driver.ports.reader.readBlob(finish?.result.hash ?? fail())).toString();
    expect(told).toContain(
      'A person changed this call before they approved it. It was made with {"path":"a.txt","content":"better"}',
    );
  });

  it('never crosses a denial by being rewritten', async () => {
    const rules = [{ act: 'write', effect: 'deny', pattern: 'locked.txt' }] as const;
    await using driver = await open({ rules: [...rules], replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { arguments: { path: 'locked.txt', content: 'crossed' } });
    await driver.performUntil('finish-step');
    expect(driver.events('call-start')).toEqual([]);
    expect(driver.events('call-finish').map(({ status }) => status)).toEqual(['denied']);
    expect(() => read(driver, 'locked.txt')).toThrow('ENOENT');
  });
});

describe('a call that a person denied', () => {
  it('is asked about again when the denial was not made with the credential of the home', async () => {
    await using driver = await open({ replies: [toReply('', [write('a.txt', 'new')])] });
    await driver.performUntil('await-answer');
    await answer(driver, { decision: 'deny', proof: '0'.repeat(64) });
    await driver.performUntil('await-answer');
    expect([driver.events('approval-request').length, driver.events('call-finish')]).toEqual([2, []]);
  });
});

describe('several questions of one reply', () => {
  it('are raised at once and answered in any order; only what was approved happens (Agenta-AI/agenta#5391)', async () => {
    const calls = [write('a.txt', 'a'), write('b.txt', 'b'), write('c.txt', 'c')];
    await using driver = await open({ replies: [toReply('', calls)] });
    await driver.performUntil('await-answer');
    expect(driver.events('approval-request')).toHaveLength(3);
    await answer(driver, { place: 2 });
    await answer(driver, { place: 0 });
    await answer(driver, { place: 1, decision: 'deny' });
    await driver.performUntil('finish-step');
    expect(driver.events('call-finish').map(({ target, status }) => `${target} ${status}`)).toEqual([
      'b.txt denied',
      'a.txt ok',
      'c.txt ok',
    ]);
  });

  it('are each shown on top of those before them, so that two edits of one file are asked about once each', async () => {
    const edit = (old: string, text: string) => ({ tool: 'edit_file', arguments: { path: 'a.txt', old, new: text } });
    const calls = [{ tool: 'read_file', arguments: { path: 'a.txt' } }];
    const edits = [edit('one', 'ONE'), edit('ONE two', 'ONE TWO')];
    const replies = [toReply('', calls), toReply('', edits)];
    await using driver = await open({ files: { 'a.txt': 'one two\n' }, replies });
    await driver.performUntil('await-answer');
    await answer(driver, { place: 0 });
    await answer(driver, { place: 1 });
    await driver.performUntil('finish-step');
    expect(driver.events('approval-lapse')).toEqual([]);
    expect(read(driver, 'a.txt')).toBe('ONE TWO\n');
  });

  it('are not raised for a call that would fail anyway: the model is told at once', async () => {
    const missing = { tool: 'edit_file', arguments: { path: 'none.txt', old: 'a', new: 'b' } };
    await using driver = await open({ replies: [toReply('', [missing])] });
    await driver.performUntil('finish-step');
    expect(driver.events('approval-request')).toEqual([]);
    expect(driver.events('call-finish').map(({ status }) => status)).toEqual(['failed']);
  });
});

function fail(): never {
  throw new Error('There is no such event');
}
