// Entry of the engine in Electron's utility process. It makes one engine when the app asks for it, and closes it before the
// process ends. It imports nothing of Electron: the parent port is a global there, and the same engine runs in plain Node.
import type { Engine } from './index.ts';

let opening: Promise<Engine> | null = null;

process.parentPort.on('message', ({ data }) => {
  if (data === 'open') opening ??= openEngine();
});

process.once('SIGTERM', () => void closeEngine());

/** Loaded on request, so that the process answers at once. What fails here ends the process, and the app starts a new one. */
async function openEngine(): Promise<Engine> {
  const { createEngine } = await import('./index.ts');
  const engine = createEngine();
  process.parentPort.postMessage('ready');
  return engine;
}

async function closeEngine(): Promise<void> {
  await (await opening)?.close();
  process.exit(0);
}
