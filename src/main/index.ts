// Entry of the desktop app. It owns the app's life: one instance, one window, one engine process. No engine logic runs here,
// so neither a long run nor a crash of the engine freezes the window.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, dialog, protocol } from 'electron';
import { forkEngine } from './fork-engine.ts';
import { harden } from './harden.ts';
import { keepEngineRunning } from './keep-engine-running.ts';
import { openWindow } from './open-window.ts';
import { toPageResponse } from './to-page-response.ts';

if (app.requestSingleInstanceLock()) start();
else app.quit();

/** Everything before `whenReady` is refused by Electron afterwards. */
function start(): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
  harden(app);
  app.on('window-all-closed', () => app.quit());
  app.whenReady().then(open).catch(fail);
}

async function open(): Promise<void> {
  const pageFolder = join(import.meta.dirname, '../renderer');
  protocol.handle('app', (request) => toPageResponse(pageFolder, request.url));
  void runEngine().catch(fail);
  const window = openWindow();
  app.on('second-instance', () => {
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  await window.loadURL('app://window/index.html');
}

async function runEngine(): Promise<void> {
  const controller = new AbortController();
  app.on('will-quit', () => controller.abort());
  const ending = await keepEngineRunning({
    fork: forkEngine,
    now: () => performance.now(),
    wait: (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined),
    log: (text) => void process.stderr.write(text),
    signal: controller.signal,
  });
  if (ending === 'given-up') {
    dialog.showErrorBox(
      'The engine does not start',
      'It ended several times in a row. Reinstall the app and try again.',
    );
  }
}

function fail(error: unknown): void {
  console.error(error);
  app.exit(1);
}
