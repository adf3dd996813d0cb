// Closes every door of a window that the app does not use. It registers on `app` and not on a window, so it reaches each
// session and each web contents, also those that nobody thought of. It must run before the first window is made.

interface Preventable {
  preventDefault(): void;
}

/** The part of Electron's `Session` that is closed here. */
export interface HardenedSession {
  setPermissionRequestHandler(handler: (contents: unknown, permission: string, answer: Answer) => void): void;
  setPermissionCheckHandler(handler: () => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  on(event: 'will-download', listener: (event: Preventable) => void): unknown;
}

type Answer = (granted: boolean) => void;

/** The part of Electron's `WebContents` that is closed here. */
export interface HardenedContents {
  setWindowOpenHandler(handler: () => { action: 'deny' }): void;
  on(event: (typeof refusedEvents)[number], listener: (event: Preventable) => void): unknown;
}

/** The part of Electron's `App` that announces sessions and contents. */
export interface HardenedApp {
  on(event: 'session-created', listener: (session: HardenedSession) => void): unknown;
  on(event: 'web-contents-created', listener: (event: unknown, contents: HardenedContents) => void): unknown;
}

/** Frames are covered too: the page never leaves its one address, and the app loads it itself. */
const refusedEvents = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'] as const;

export function harden(app: HardenedApp): void {
  app.on('session-created', hardenSession);
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
}

function hardenSession(session: HardenedSession): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', refuse);
}

function hardenContents(contents: HardenedContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  for (const event of refusedEvents) contents.on(event, refuse);
}

function refuse(event: Preventable): void {
  event.preventDefault();
}
