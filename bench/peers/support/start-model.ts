// Starts the scripted model in its own process and keeps what it tells of its requests.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type AnsweredRequest,
  type ArrivedRequest,
  ServerMessage,
  type ServerSettings,
} from '../model/server-settings.ts';

export interface ScriptedModel extends AsyncDisposable {
  readonly port: number;
  /** Is told each request as it arrives, before it is answered. */
  onArrival(listener: (request: ArrivedRequest) => void): void;
  /** Ends the process, also twice; all that it has answered. */
  stop(): Promise<readonly AnsweredRequest[]>;
}

export async function startModel(settings: ServerSettings): Promise<ScriptedModel> {
  const script = join(import.meta.dirname, '../model/server.ts');
  const child = fork(script, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // The end of its channel comes after all that it has told, which its own end may not.
  const ended = Promise.all([once(child, 'disconnect'), once(child, 'exit')]);
  const answered: AnsweredRequest[] = [];
  const listeners: ((request: ArrivedRequest) => void)[] = [];
  child.on('message', (sent) => {
    const message = ServerMessage.parse(sent);
    if (message.type === 'answered') answered.push(message.request);
    if (message.type === 'arrived') for (const listener of listeners) listener(message.request);
  });
  const stop = async (): Promise<readonly AnsweredRequest[]> => {
    if (child.connected) child.send('stop', () => {}); // One that has ended meanwhile needs no telling.
    await ended;
    return answered;
  };
  return {
    port: await readPort(child, ended),
    onArrival: (listener) => void listeners.push(listener),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

async function readPort(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  const [sent] = await Promise.race([once(child, 'message'), ended.then((): unknown[] => [])]);
  const message = ServerMessage.safeParse(sent);
  if (message.data?.type !== 'listening') throw new Error('The scripted model ended before it listened');
  return message.data.port;
}
