// The worker thread: owns the writing connection and nothing else. Group commit without a timer: whatever has queued up
// while the last commit was on its way to the disk goes into the next one.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { commitRequests, toErrorReply } from './commit-requests.ts';
import { closeStores, openStores } from './open-stores.ts';
import { toDatabaseFile } from './store-file.ts';
import type { Stores } from './stores.ts';
import type { WorkerAnswer, WorkerMessage, WorkerReply, WorkerSettings, WriteMessage } from './worker-message.ts';

// One transaction takes no more than this many requests, so that the first of them is not kept waiting for the last.
const maxRequests = 256;

if (parentPort !== null) serve(parentPort, workerData);

function serve(port: MessagePort, { home }: WorkerSettings): void {
  try {
    const stores = openStores(home);
    port.on('message', (first: WorkerMessage) => {
      const messages = drain(port, first);
      for (const answer of answerWrites(stores, messages)) port.postMessage(answer);
      const close = messages.find(({ request }) => request.kind === 'close');
      if (close === undefined) return;
      port.postMessage({ id: close.id, message: answerClose(stores) });
      port.close();
    });
    port.postMessage({ id: 0, message: { kind: 'done' } });
  } catch (error) {
    port.postMessage({ id: 0, message: toErrorReply(error, toDatabaseFile(home)) });
    port.close();
  }
}

function drain(port: MessagePort, first: WorkerMessage): WorkerMessage[] {
  const messages = [first];
  while (messages.length < maxRequests) {
    const next: { message: WorkerMessage } | undefined = receiveMessageOnPort(port);
    if (next === undefined) break;
    messages.push(next.message);
  }
  return messages;
}

function answerWrites(stores: Stores, messages: readonly WorkerMessage[]): WorkerAnswer[] {
  const writes = messages.filter((message): message is WriteMessage => message.request.kind !== 'close');
  const requests = writes.map(({ request }) => request);
  return commitRequests(stores, requests).map((message, index) => ({ id: writes[index]?.id ?? 0, message }));
}

function answerClose(stores: Stores): WorkerReply {
  try {
    closeStores(stores);
    return { kind: 'done' };
  } catch (error) {
    return toErrorReply(error, stores.file);
  }
}
