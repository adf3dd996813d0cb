import { expect, it } from 'vitest';
import { createRunId } from '../../shared/id.ts';
import { createDoorbell } from './doorbell.ts';

it('a doorbell that could not be listened at once notices other processes the next time', async () => {
  const answers: (() => number)[] = [
    () => {
      throw new Error('locked');
    },
    () => 1,
  ];
  const doorbell = createDoorbell(() => answers.shift()?.() ?? 2);
  expect(() => doorbell.listen()).toThrow('locked');
  const stop = doorbell.listen();
  await doorbell.wait(createRunId(0, new Uint8Array(12)), new AbortController().signal);
  stop();
  doorbell.close();
});
