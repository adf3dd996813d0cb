// The calling thread's end of the worker: starts it, pairs replies with requests, and turns its death into errors, so that
// no caller waits for an answer that cannot come.
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../shared/engine-error.ts';
import type { WorkerAnswer, WorkerReply, WorkerRequest, WorkerSettings } from './worker-message.ts';

export interface WorkerLink {
  /** Sends a request; rejects with the worker's error. */
  ask(request: WorkerRequest): Promise<GoodReply>;
  /** Ends the worker after everything queued is durable. Can be called twice. */
  close(): Promise<void>;
}

type GoodReply = Exclude<WorkerReply, { readonly kind: 'error' }>;

/** Starts the worker and resolves once its store is open; rejects with the reason why it cannot be opened. */
export async function startWorker(workerUrl: URL, settings: WorkerSettings): Promise<WorkerLink> {
  const worker = new Worker(workerUrl, { workerData: settings, name: 'journal' });
  const replies = createReplies();
  let lastId = 0;
  let closing: Promise<void> | undefined;
  worker.on('message', replies.settle);
  worker.on('error', (cause) => replies.end(createDeathError(cause)));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      replies.end(closing ? createClosedError() : createDeathError());
      resolve();
    });
  });

  const send = (request: WorkerRequest): Promise<GoodReply> => {
    const id = ++lastId;
    const reply = replies.expect(id);
    worker.postMessage({ id, request });
    return reply;
  };
  const close = async (): Promise<void> => {
    if (!replies.ended) await send({ kind: 'close' });
    await exited;
  };

  try {
    await replies.expect(0);
  } catch (error) {
    await exited;
    throw error;
  }
  return {
    ask: (request) => (closing ? Promise.reject(createClosedError()) : send(request)),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

interface Replies {
  readonly ended: boolean;
  /** The reply to this request; rejects when it is an error or can no longer come. */
  expect(id: number): Promise<GoodReply>;
  settle(answer: WorkerAnswer): void;
  /** No reply comes any more. */
  end(error: EngineError): void;
}

function createReplies(): Replies {
  const pending = new Map<number, PromiseWithResolvers<GoodReply>>();
  let ending: EngineError | null = null;
  return {
    get ended() {
      return ending !== null;
    },
    expect(id) {
      const reply = Promise.withResolvers<GoodReply>();
      if (ending === null) pending.set(id, reply);
      else reply.reject(ending);
      return reply.promise;
    },
    settle({ id, message }) {
      const reply = pending.get(id);
      pending.delete(id);
      if (message.kind !== 'error') reply?.resolve(message);
      else reply?.reject(new EngineError(message.code, message.message, { remedy: message.remedy }));
    },
    end(error) {
      ending ??= error;
      for (const reply of pending.values()) reply.reject(ending);
      pending.clear();
    },
  };
}

function createClosedError(): EngineError {
  return new EngineError('closed', 'The journal is closed.', { remedy: 'Open it again before using it.' });
}

function createDeathError(cause?: unknown): EngineError {
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  return new EngineError('internal', `The journal's worker thread ended unexpectedly${detail}.`, {
    remedy: 'Start again; everything that was reported as written is kept.',
    cause,
  });
}
