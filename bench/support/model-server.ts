// Starts the scripted model in its own process and reads its log.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { startNode, toEnd } from './start-node.ts';

const LogEntry = z.object({ position: z.int(), arrivedAt: z.number(), finishedAt: z.number().nullable() });

/** A request that was answered; times in milliseconds since the epoch. */
export interface AnsweredRequest {
  /** How many replies the conversation held already: the step that the answer begins. */
  readonly position: number;
  /** The request's headers were there. */
  readonly arrivedAt: number;
  /** The last byte of the answer was handed over. */
  readonly finishedAt: number;
}

export interface Recorded<Result> {
  readonly result: Result;
  readonly requests: readonly AnsweredRequest[];
}

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** What `work` comes to, and what it asked for: let only one conversation go on meanwhile. */
  recordRequests<Result>(work: () => Promise<Result>): Promise<Recorded<Result>>;
}

export async function startModelServer(): Promise<ModelServer> {
  const child = startNode(join(import.meta.dirname, 'model-server-main.ts'), [], { stdin: 'pipe', stdout: 'pipe' });
  const ended = toEnd(child);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [url] = await Promise.race([once(lines, 'line').then((line) => line.map(String)), ended.then(() => [])]);
  if (url === undefined) throw new Error('The model server ended before it listened');
  const readLog = async () => z.array(LogEntry).parse(await (await fetch(url)).json());
  return {
    url,
    async recordRequests(work) {
      const before = await readLog();
      const result = await work();
      const requests = (await readLog()).slice(before.length).map(assertAnswered);
      return { result, requests };
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await ended;
    },
  };
}

function assertAnswered({ position, arrivedAt, finishedAt }: z.infer<typeof LogEntry>): AnsweredRequest {
  if (finishedAt === null) throw new Error(`Request ${position} was left without an answer`);
  return { position, arrivedAt, finishedAt };
}
