import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { BlobHash, rootAgentId } from '../../shared/id.ts';
import { interrupted } from './history/close-orphans.ts';
import { createTranscript } from './transcript.ts';

const root = { agentId: rootAgentId };
const secret = 'ghp_94d356af183b5218951806abfb4f07d0523b';
const write = { tool: 'write_file', arguments: { path: 'key.txt', content: secret } };
const read = { tool: 'read_file', arguments: { path: 'long.txt' } };
const files = { 'long.txt': 'A line of some length.\n'.repeat(100) };

describe('a transcript', () => {
  it('gives the same message for the same item, so that what was sent begins what is sent next', async () => {
    await using driver = await openDriver({ files, replies: [toReply('', [read]), toReply('', [read])] });
    await driver.performUntil('finish-step');
    const { transcript, recorder } = driver.ports;
    const first = transcript.toMessages(agentOf(recorder.state, root));
    await driver.performUntil('reason');
    await driver.performUntil('finish-step');
    const second = transcript.toMessages(agentOf(recorder.state, root));
    expect(first.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'result']);
    expect(first.every((message, place) => second[place] === message)).toBe(true);
    expect(second.length).toBe(first.length + 2);
  });

  it('puts a pointer in the place of a result that gave way, always the same one, and leaves the rest', async () => {
    await using driver = await openDriver({ files, replies: [toReply('', [read]), toReply('', [read])] });
    await driver.performUntil('finish-step');
    await driver.performUntil('reason');
    const { transcript, recorder } = driver.ports;
    const agent = agentOf(recorder.state, root);
    const before = transcript.toMessages(agent);
    const after = transcript.toMessages({ ...agent, compactedBefore: agent.context.length });
    expect(after.slice(0, 3).every((message, place) => before[place] === message)).toBe(true);
    expect(after[3]).toEqual({
      role: 'result',
      callId: 'c0',
      text: expect.stringMatching(/^\[result left out to save room: read_file long\.txt, \d+ bytes, sha256 /),
    });
    expect(transcript.toMessages({ ...agent, compactedBefore: agent.context.length })[3]).toBe(after[3]);
  });

  it('leaves a result in place that is shorter than its pointer', async () => {
    await using driver = await openDriver({ files: { 'long.txt': 'short' }, replies: [toReply('', [read])] });
    await driver.performUntil('finish-step');
    const { transcript, recorder } = driver.ports;
    const agent = agentOf(recorder.state, root);
    const messages = transcript.toMessages({ ...agent, compactedBefore: agent.context.length });
    expect(messages.at(-1)).toMatchObject({ role: 'result', text: expect.stringContaining('short') });
  });

  it('brings a reply back word for word although the journal shows its secret masked', async () => {
    await using driver = await openDriver({ replies: [toReply('', [write])] });
    await driver.performUntil('start');
    const [finish] = driver.events('model-finish');
    if (finish === undefined) throw new Error('The reply is not durable');
    const { reader } = driver.ports;
    expect(Buffer.from(reader.readBlob(finish.message.hash)).toString()).not.toContain(secret);
    expect(createTranscript(reader).readReply(finish.message)).toEqual({
      text: '',
      calls: [{ id: 'c0', tool: 'write_file', arguments: JSON.stringify(write.arguments) }],
    });
  });

  it('writes a context that it has not written before out of one question, whatever is masked or lost of it', async () => {
    await using driver = await openDriver({
      files,
      replies: [toReply('', [write]), toReply('', [read]), toReply('', [read])],
    });
    for (let step = 0; step < 3; step++) {
      await driver.performUntil('finish-step');
      await driver.performUntil('reason');
    }
    const { transcript, recorder, reader } = driver.ports;
    const { context } = agentOf(recorder.state, root);
    const lost = context.map((item) =>
      item.role === 'result' && item.tool === 'write_file'
        ? { ...item, blob: { ...item.blob, hash: BlobHash.parse('f'.repeat(64)) } }
        : item,
    );
    const agent = { ...agentOf(recorder.state, root), context: lost };
    const asked: [question: string, hashes: number][] = [];
    const counted = {
      readContents: (hashes: readonly BlobHash[]) => {
        asked.push(['contents', new Set(hashes).size]);
        return reader.readContents(hashes);
      },
      readOriginal: (hash: BlobHash) => {
        asked.push(['original', 1]);
        return reader.readOriginal(hash);
      },
      readBlob: (hash: BlobHash) => {
        asked.push(['blob', 1]);
        return reader.readBlob(hash);
      },
    };
    const messages = createTranscript(counted).toMessages(agent);
    const whole = transcript.toMessages(agentOf(recorder.state, root));
    expect(messages).toEqual(
      whole.map((message) =>
        message.role === 'result' && message === whole[3] ? { ...message, text: interrupted } : message,
      ),
    );
    expect(asked).toEqual([
      ['contents', new Set(lost.map(({ blob }) => blob.hash)).size],
      ['original', 1],
      ['blob', 1],
    ]);
  });

  it('knows a reply before it is durable once it was told', async () => {
    await using driver = await openDriver();
    const { reader } = driver.ports;
    const transcript = createTranscript(reader);
    const reply = { text: 'Soon durable.', calls: [] };
    const ref = agentOf(driver.ports.recorder.state, root).context[0]?.blob;
    if (ref === undefined) throw new Error('A context begins with the system prompt');
    const blob = { ...ref, hash: BlobHash.parse('f'.repeat(64)) };
    expect(() => transcript.readReply(blob)).toThrow(expect.objectContaining({ code: 'blob-missing' }));
    transcript.keepReply(blob, reply);
    expect(transcript.readReply(blob)).toBe(reply);
  });
});
