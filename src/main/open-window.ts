// Opens the one window: sandboxed, isolated, without Node, with nothing in it that could open a connection by itself.
import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    show: false,
    width: 1200,
    height: 800,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      // A middle click would open a new window past the navigation handlers.
      disableBlinkFeatures: 'Auxclick',
      // The spell checker fetches its dictionaries from the internet.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  return window;
}
