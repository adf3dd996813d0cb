import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import { finishCall } from './finish-call.ts';

const secret = 'sk-known-0123456789';
const place = { agentId: rootAgentId, step: 1 };
const read = { tool: 'read_file', arguments: { path: 'a.txt' } };

async function finish(text: string, target: string) {
  await using driver = await openDriver({ replies: [toReply('', [read])], knownSecrets: [secret] });
  await driver.performUntil('start');
  finishCall(driver.ports, place, { call: 0, tool: 'read_file', target, status: 'ok', text, origin: 'repository' });
  await driver.ports.recorder.commit();
  const [event] = driver.events('call-finish');
  if (event === undefined) throw new Error('The call is finished');
  const shown = event.shown === undefined ? null : driver.ports.reader.readBlob(event.shown.hash);
  return { event, shown: shown === null ? null : Buffer.from(shown).toString() };
}

describe('finishing a call', () => {
  it('keeps one text where the model is shown all of it', async () => {
    const { event, shown } = await finish('short', 'a.txt');
    expect([event.result.bytes, shown]).toEqual([5, null]);
  });

  it('keeps the whole beside what the model is shown of a long result', async () => {
    const { event, shown } = await finish('x'.repeat(100_000), 'a.txt');
    expect([event.result.bytes, Buffer.byteLength(shown ?? '') <= 32_768]).toEqual([100_000, true]);
  });

  it.each([
    ['ok', true],
    ['failed', true],
    ['denied', null],
  ] as const)(
    'of a read that was asked about is for nobody else only where something was shown (%s)',
    async (status, sensitive) => {
      const rules = [{ act: 'read', effect: 'ask', pattern: 'a.txt' } as const];
      const replies = [toReply('', [read])];
      await using driver = await openDriver({ files: { 'a.txt': 'a' }, rules, replies, posture: 'ask' });
      await driver.performUntil('await-answer');
      const end = { call: 0, tool: 'read_file', target: 'a.txt', status, text: 'a', origin: 'repository' } as const;
      finishCall(driver.ports, place, end);
      const { label } = agentOf(driver.ports.recorder.state, place);
      expect(label.sensitive).toEqual(sensitive && { origin: 'repository', target: 'a.txt', step: 1 });
    },
  );

  it('masks a secret in the text, in the target, and in the note that names the target', async () => {
    const { event, shown } = await finish(`${secret}\n${'x\n'.repeat(50_000)}`, `keys/${secret}.txt`);
    expect([event.target, shown].map((text) => text?.includes(secret))).toEqual([false, false]);
    expect(shown).toContain(event.target);
  });
});
