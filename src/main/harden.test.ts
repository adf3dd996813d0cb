import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type HardenedContents, type HardenedSession, harden } from './harden.ts';

class FakeSession extends EventEmitter implements HardenedSession {
  readonly answers: Record<string, unknown> = {};

  setPermissionRequestHandler(handler: Parameters<HardenedSession['setPermissionRequestHandler']>[0]): void {
    handler(null, 'media', (granted) => {
      this.answers.request = granted;
    });
  }

  setPermissionCheckHandler(handler: () => boolean): void {
    this.answers.check = handler();
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.answers.device = handler();
  }
}

class FakeContents extends EventEmitter implements HardenedContents {
  windowOpen: unknown;

  setWindowOpenHandler(handler: () => { action: 'deny' }): void {
    this.windowOpen = handler();
  }
}

describe('harden', () => {
  it('refuses permissions, devices and downloads in every session that is created', () => {
    const app = new EventEmitter();
    harden(app);
    const sessions = [new FakeSession(), new FakeSession()];
    for (const session of sessions) app.emit('session-created', session);
    expect(
      sessions.map((session) => ({ ...session.answers, download: emitPreventable(session, 'will-download') })),
    ).toEqual(Array(2).fill({ request: false, check: false, device: false, download: 'prevented' }));
  });

  it('refuses new windows, navigation, redirects and web views in every contents that is created', () => {
    const app = new EventEmitter();
    harden(app);
    const contents = new FakeContents();
    app.emit('web-contents-created', {}, contents);
    expect({
      windowOpen: contents.windowOpen,
      navigate: emitPreventable(contents, 'will-navigate'),
      frameNavigate: emitPreventable(contents, 'will-frame-navigate'),
      redirect: emitPreventable(contents, 'will-redirect'),
      webview: emitPreventable(contents, 'will-attach-webview'),
    }).toEqual({
      windowOpen: { action: 'deny' },
      navigate: 'prevented',
      frameNavigate: 'prevented',
      redirect: 'prevented',
      webview: 'prevented',
    });
  });
});

function emitPreventable(emitter: EventEmitter, event: string): 'prevented' | 'let through' {
  let result: 'prevented' | 'let through' = 'let through';
  emitter.emit(event, {
    preventDefault: () => {
      result = 'prevented';
    },
  });
  return result;
}
