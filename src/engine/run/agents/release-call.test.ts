import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../../test/support/open-driver.ts';
import { rootAgentId } from '../../../shared/id.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { CallPorts } from '../driver-ports.ts';
import type { Recorder } from '../recorder.ts';
import { releaseCall } from './release-call.ts';

const place = { agentId: rootAgentId, step: 1 };
const listen = { tool: 'read_messages', arguments: { seconds: 600 } };

function say({ recorder }: Pick<CallPorts, 'recorder'>, text: string): void {
  const content = createBlob(text, { origin: 'agent' });
  recorder.emit(place, { type: 'mail-send', call: 0, to: rootAgentId, content: content.ref }, [content]);
}

/** Somebody says something in the moment in which what was said before has become durable. */
function interrupted(recorder: Recorder, then: () => void): Recorder {
  return {
    get state() {
      return recorder.state;
    },
    get durableSeq() {
      return recorder.durableSeq;
    },
    emit: (...words) => recorder.emit(...words),
    isHeld: () => recorder.isHeld(),
    catchUp: () => recorder.catchUp(),
    async commit() {
      await recorder.commit();
      then();
    },
  };
}

describe('a call that has waited for messages', () => {
  it('is told what was there when it was let go, and leaves for the next what comes meanwhile', async () => {
    await using driver = await openDriver({ contract: { containment: {} }, replies: [toReply('', [listen])] });
    await driver.performUntil('wait');
    const { ports } = driver;
    say(ports, 'In time.');
    const recorder = interrupted(ports.recorder, () => say(ports, 'Late.'));
    await releaseCall({ ...ports, recorder }, place, 0);
    await ports.recorder.commit();
    const told = driver.events('call-finish').map(({ mail, result }) => ({
      mail,
      text: Buffer.from(ports.reader.readBlob(result.hash)).toString(),
    }));
    expect(told).toEqual([{ mail: 1, text: 'From root:\nIn time.\n\nMore wait to be read: 1.' }]);
  });
});
