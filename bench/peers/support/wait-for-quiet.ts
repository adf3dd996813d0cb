// Waits until the machine has little else to do, a few seconds at most: what runs beside a measure shows in it.
import { setTimeout as sleep } from 'node:timers/promises';
import { markLoad, readOtherCores } from '../../support/read-load.ts';

const lookMs = 700;
const looks = 8;
const quietCores = 0.8;

export async function waitForQuiet(): Promise<void> {
  for (let look = 0; look < looks; look++) {
    const mark = markLoad();
    await sleep(lookMs);
    const others = readOtherCores(mark);
    if (others === null || others <= quietCores) return;
  }
}
