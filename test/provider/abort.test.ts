import { describe, expect, it } from 'vitest';
import { playScript, testRequest } from './open-provider.ts';

describe('an aborted request of the chat-completions provider', () => {
  it('ends at once, closes the socket and may have been billed', async () => {
    await using played = await playScript([{ text: 'Hello', fault: { kind: 'stall-after-first-delta' } }]);
    const controller = new AbortController();
    const result = await played.ask(testRequest, () => controller.abort(), controller.signal);
    expect(result).toEqual({
      kind: 'failure',
      failure: {
        class: 'aborted',
        message: `${new URL(played.server.url).host} was left before its reply was whole. Nothing of this reply was carried out.`,
        retryable: false,
        charge: 'unknown',
      },
    });
    await played.server.until(([request]) => request?.aborted === true);
  });

  it('costs nothing and sends nothing when it was aborted before', async () => {
    await using played = await playScript([{ text: 'Hello' }]);
    const result = await played.ask(testRequest, undefined, AbortSignal.abort());
    expect(result).toMatchObject({ kind: 'failure', failure: { class: 'aborted', charge: 'none' } });
    await played.ask();
    expect(played.server.requests).toHaveLength(1);
  });

  it('keeps a reply that was whole before the abort, because it is paid for', async () => {
    await using played = await playScript([{ text: 'Hello', fault: { kind: 'never-end' } }]);
    const controller = new AbortController();
    const result = await played.ask(
      testRequest,
      ({ kind }) => kind === 'text' && setImmediate(() => controller.abort()),
      controller.signal,
    );
    expect(result).toMatchObject({ kind: 'reply', reply: { message: { text: 'Hello' } } });
  });

  it('ends when the provider is closed, which can be done twice', async () => {
    await using played = await playScript([{ fault: { kind: 'stall-after-headers' } }]);
    const asked = played.ask();
    await played.server.until((requests) => requests.length === 1);
    await Promise.all([played.provider.close(), played.provider.close()]);
    expect(await asked).toMatchObject({ kind: 'failure', failure: { class: 'aborted', charge: 'unknown' } });
  });
});
