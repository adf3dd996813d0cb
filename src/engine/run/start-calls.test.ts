import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import { startCalls } from './start-calls.ts';

const never = new AbortController().signal;
const start = { kind: 'start', agentId: rootAgentId, calls: [0] } as const;
const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'new' } });

describe('starting calls', () => {
  it('has both images of an edit durable before it is made, and then what came of it', async () => {
    await using driver = await openDriver({ replies: [toReply('', [write('a.txt')])] });
    await driver.performUntil('finish-step');
    const [started] = driver.events('call-start');
    expect(started).toMatchObject({ class: 'compare', risky: true, change: { path: 'a.txt', before: null } });
    expect(driver.events('call-finish')).toMatchObject([{ status: 'ok', changed: true, target: 'a.txt' }]);
    expect(readFileSync(join(driver.workspace, 'a.txt'), 'utf8')).toBe('new');
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'takes no file for one it has seen because it is named %s',
    async (name) => {
      await using driver = await openDriver({ files: { [name]: 'old' }, replies: [toReply('', [write(name)])] });
      await driver.performUntil('finish-step');
      expect(driver.events('call-finish')).toMatchObject([{ status: 'ok', changed: true }]);
      expect(readFileSync(join(driver.workspace, name), 'utf8')).toBe('new');
    },
  );

  it('does nothing after a cancel that came in this very moment', async () => {
    await using driver = await openDriver({ files: { 'b.txt': 'b' }, replies: [toReply('', [write('a.txt')])] });
    await driver.performUntil('start');
    const body = { type: 'run-cancel', actor: 'p' } as const;
    const event = { agentId: rootAgentId, step: 1, at: 1, body, subject: null };
    await driver.journal.writer.appendPerson(driver.lease.runId, event, []);
    await startCalls(driver.ports, start, never);
    await driver.ports.recorder.commit();
    expect(driver.events('call-finish')).toMatchObject([{ status: 'interrupted', changed: false }]);
    expect(() => readFileSync(join(driver.workspace, 'a.txt'))).toThrow(/ENOENT/);
  });

  it('leaves a read open that the end of the process cut off, and says nothing about it', async () => {
    const leaving = new AbortController();
    leaving.abort('SIGTERM');
    const read = { tool: 'read_file', arguments: { path: 'a.txt' } };
    await using driver = await openDriver({ files: { 'a.txt': 'a' }, replies: [toReply('', [read])] });
    await driver.performUntil('start');
    await startCalls(driver.ports, start, leaving.signal);
    await driver.ports.recorder.commit();
    expect([driver.events('call-start').length, driver.events('call-finish').length]).toEqual([1, 0]);
  });

  it('starts reads side by side and journals their results in the order of the calls', async () => {
    const reads = ['a.txt', 'none.txt', 'b.txt'].map((path) => ({ tool: 'read_file', arguments: { path } }));
    await using driver = await openDriver({ files: { 'a.txt': 'a', 'b.txt': 'b' }, replies: [toReply('', reads)] });
    await driver.performUntil('finish-step');
    const types = driver.ports.reader.readEvents(driver.lease.runId).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('call-'))).toEqual([
      ...Array<string>(3).fill('call-start'),
      ...Array<string>(3).fill('call-finish'),
    ]);
    expect(driver.events('call-finish').map(({ call, status }) => [call, status])).toEqual([
      [0, 'ok'],
      [1, 'failed'],
      [2, 'ok'],
    ]);
  });
});
