import { describe, expect, it } from 'vitest';
import { createFloorSandbox } from '../../../test/support/floor-sandbox.ts';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { Journal } from '../journal/journal.ts';
import { decide } from './decide.ts';

const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };

describe('a decision', () => {
  it('that came after its question had lapsed is said to be too late, and nothing of it is remembered', async () => {
    await using driver = await openDriver({ posture: 'ask', replies: [toReply('', [write])] });
    await driver.performUntil('await-answer');
    const { ports, journal, home, openPorts } = driver;
    const [asked] = driver.events('approval-request');
    const request = asked?.request ?? '';
    const quicker: Journal['writer'] = {
      ...journal.writer,
      appendPerson: async (...decision) => {
        const lapse = { type: 'approval-lapse', call: 0, request, because: 'a.txt is there now' } as const;
        ports.recorder.emit({ agentId: rootAgentId, step: 1 }, lapse);
        await ports.recorder.commit();
        return journal.writer.appendPerson(...decision);
      },
    };
    const deciding = decide({
      home,
      journal: { ...journal, writer: quicker },
      redactor: openPorts.redactor,
      sandbox: createFloorSandbox(),
      params: { request, decision: 'approve', actor: 'person:test', remember: { scope: 'run' } },
    });
    await expect(deciding).rejects.toMatchObject({ code: 'approval-changed' });
    ports.recorder.catchUp();
    expect(ports.recorder.state.remembered).toEqual([]);
  });

  it('is kept without the secrets that stand in its reason', async () => {
    await using driver = await openDriver({ posture: 'ask', replies: [toReply('', [write])] });
    await driver.performUntil('await-answer');
    const { journal, home, openPorts } = driver;
    const secret = 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
    const request = driver.events('approval-request')[0]?.request ?? '';
    const params = { request, decision: 'deny', actor: 'person:test', reason: `use api_key = "${secret}"` } as const;
    await decide({ home, journal, redactor: openPorts.redactor, sandbox: createFloorSandbox(), params });
    await driver.performUntil('finish-step');
    expect(driver.events('call-finish').map(({ status }) => status)).toEqual(['denied']);
    expect(JSON.stringify(driver.events('approval-decision'))).not.toContain(secret);
  });
});
