// The program that stands between the engine and a command on Windows. A process belongs to a job from its start only when
// its parent did, so this one is put into the job first and then starts the command. It is a text because it runs outside
// this program and before any file of the engine is in reach.

/**
 * Reads one line from descriptor 3: what to start, and its environment. Answers `begun`, or `failed` and why, and ends as
 * the command does. When nobody tells it anything it ends. None of the environment of the command reaches it itself.
 */
export const stubSource = `
const { spawn } = require('node:child_process');
const { Socket } = require('node:net');
const channel = new Socket({ fd: 3 });
let text = '';
channel.setEncoding('utf8');
channel.on('error', () => process.exit(70));
channel.on('close', () => process.exit(70));
channel.on('data', (chunk) => {
  text += chunk;
  if (text.endsWith('\\n')) start(JSON.parse(text));
});
function start({ argv: [program, ...rest], environment }) {
  const fail = (error) => channel.end('failed\\t' + error.message.replace(/\\s+/g, ' ') + '\\n');
  const options = { env: environment, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true };
  let child;
  try {
    child = spawn(program, rest, options);
  } catch (error) {
    return fail(error);
  }
  child.once('error', fail);
  child.once('spawn', () => {
    channel.removeAllListeners('close');
    channel.end('begun\\n');
  });
  child.once('exit', (code, signal) => (signal === null ? process.exit(code) : process.kill(process.pid, signal)));
}
`;
