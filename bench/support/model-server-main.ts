// The scripted model as a process of its own, so that it shares no event loop with what is measured. It prints its URL and
// ends when standard input closes; a GET answers with the log.
import { startScriptedModelServer } from '../../test/support/scripted-model-server.ts';
import { modelScript } from './model-script.ts';

const server = await startScriptedModelServer(modelScript, { keepsBodies: false });
process.stdout.write(`${server.url}\n`);
process.stdin.once('end', () => void server.close()).resume();
