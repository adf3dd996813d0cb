import { describe, expect, it } from 'vitest';
import { AgentId, RunId, rootAgentId } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import { createLiveFeed } from './live-feed.ts';

const runId = RunId.parse(`run-${'0'.repeat(22)}`);
const other = AgentId.parse('root/1.0');

const say = (text: string, agentId = rootAgentId, step = 1): LiveUpdate => ({
  type: 'text-delta',
  runId,
  agentId,
  step,
  text,
});

function openFeed(knownSecrets: readonly string[] = []) {
  const feed = createLiveFeed({ runId, knownSecrets });
  const heard: LiveUpdate[] = [];
  return { feed, heard, stop: feed.subscribe((update) => heard.push(update)) };
}

describe('a live feed', () => {
  it('tells every update as it is, until the listener has had enough', () => {
    const { feed, heard, stop } = openFeed();
    const updates: LiveUpdate[] = [
      say('a'),
      { type: 'reasoning-delta', runId, agentId: rootAgentId, step: 1, text: 'b' },
      { type: 'call-delta', runId, agentId: rootAgentId, step: 1, call: 0, tool: 'read_file', characters: 3 },
    ];
    for (const update of updates) feed.publish(update);
    stop();
    stop();
    feed.publish(say('c'));
    expect(heard).toEqual(updates);
  });

  it('begins for a late listener with what each open reply has said so far', () => {
    const { feed } = openFeed();
    for (const update of [say('one '), say('uno', other, 4), say('two')]) feed.publish(update);
    const late: LiveUpdate[] = [];
    feed.subscribe((update) => late.push(update));
    feed.publish(say('!'));
    expect(late).toEqual([say('one two'), say('uno', other, 4), say('!')]);
  });

  it('forgets a reply that has ended, and no other', () => {
    const { feed } = openFeed();
    for (const update of [say('one'), say('uno', other)]) feed.publish(update);
    feed.end(rootAgentId);
    feed.end(rootAgentId);
    feed.publish(say('next', rootAgentId, 2));
    const late: LiveUpdate[] = [];
    feed.subscribe((update) => late.push(update));
    expect(late).toEqual([say('uno', other), say('next', rootAgentId, 2)]);
  });

  it('holds of a reply without end only its end', () => {
    const { feed } = openFeed();
    for (const text of ['x', 'y'.repeat(200_000), 'z'.repeat(62_144)]) feed.publish(say(text));
    const late: LiveUpdate[] = [];
    feed.subscribe((update) => late.push(update));
    expect(late).toEqual([say('y'.repeat(200_000) + 'z'.repeat(62_144))]);
  });

  it('lets a listener that throws go, and goes on telling the others', () => {
    const { feed, heard } = openFeed();
    let calls = 0;
    feed.subscribe(() => {
      calls += 1;
      throw new Error('a fault of the host');
    });
    for (const text of ['one', 'two']) feed.publish(say(text));
    expect({ calls, heard }).toEqual({ calls: 1, heard: [say('one'), say('two')] });
  });

  it('says a secret of the engine to nobody, also when it comes in pieces', () => {
    const { feed, heard } = openFeed(['sk-secret-1234']);
    for (const text of ['key: sk-sec', 'ret-1234, en', 'd sk-']) feed.publish(say(text));
    feed.end(rootAgentId);
    const told = heard.map((update) => ('text' in update ? update.text : '')).join('');
    expect(told).toBe('key: [redacted], end sk-');
  });
});
