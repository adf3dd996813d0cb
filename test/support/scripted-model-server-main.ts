// Runs the scripted server as a process of its own: `node scripted-model-server-main.ts SCRIPT.json`. It prints one line,
// {"url": "..."}, and ends when standard input closes or on SIGTERM. A GET of any path answers with the log.
import { readFile } from 'node:fs/promises';
import { startScriptedModelServer } from './scripted-model-server.ts';

const path = process.argv[2];
if (path === undefined) {
  process.stderr.write('usage: scripted-model-server-main.ts SCRIPT.json\n');
  process.exit(2);
}
const server = await startScriptedModelServer(JSON.parse(await readFile(path, 'utf8')), { keepsBodies: false });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);

const end = () => void server.close().then(() => process.exit(0));
process.once('SIGTERM', end);
process.stdin.once('end', end).resume();
