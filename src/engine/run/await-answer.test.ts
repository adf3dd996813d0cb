import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import { rootAgentId } from '../../shared/id.ts';
import { awaitAnswer } from './await-answer.ts';

const place = { agentId: rootAgentId, step: 1 };

describe('waiting for an answer', () => {
  it('ends with one that came just before what led to the wait was durable', async () => {
    const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };
    await using driver = await openDriver({ posture: 'ask', replies: [toReply('', [write])] });
    await driver.performUntil('await-answer');
    const { ports, journal, lease } = driver;
    ports.recorder.emit(place, { type: 'policy-notice', file: 'policy.jsonc', because: 'it has changed' });
    const body = { type: 'run-pause', actor: 'person:test' } as const;
    await journal.writer.appendPerson(lease.runId, { ...place, at: 1, body, subject: null }, []);
    await awaitAnswer(ports, new AbortController().signal); // It would go on for ever.
    expect(ports.recorder.state.wishes.pausedBy).toBe('person:test');
  });
});
