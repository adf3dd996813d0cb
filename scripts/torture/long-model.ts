// The model of a run that is left alone, as a process of its own: reads without end, with an outage now and then. It prints
// its address and ends when standard input closes.
import { countTurns } from '../../test/support/count-turns.ts';
import { startScriptedModelServer } from '../../test/support/scripted-model-server.ts';

const steps = Number(process.argv[2]);
const outageEvery = 97;

const server = await startScriptedModelServer(
  ({ messages }) => {
    const position = countTurns(messages);
    if (position >= steps) return { text: 'All steps are done.' };
    const calls = [{ tool: 'read_file', arguments: { path: `${position % 50}.txt` } }];
    if (position % outageEvery !== 1) return { calls };
    return { calls, fault: { kind: 'status', status: 503, retryAfter: '0' }, faultTimes: 1 };
  },
  { keepsBodies: false },
);
process.stdout.write(`${server.url}\n`);
process.stdin.once('end', () => void server.close()).resume();
