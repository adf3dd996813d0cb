// The words between the engine and the program that makes jobs. What it says is taken for what it is only where it fits.
import { z } from 'zod';
import type { SandboxLimits } from '../sandbox.ts';
import { bootstrap, brokerSource } from './broker-source.ts';

export type JobLimits = Pick<SandboxLimits, 'memoryBytes' | 'processes' | 'cpuMs'>;

const whole = z.number().int().nonnegative();

const BrokerEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready') }),
  /** It may not run programs of its own here, or cannot compile any. */
  z.object({ event: z.literal('unfit'), reason: z.enum(['language', 'compiler']) }),
  z.object({ event: z.literal('opened'), job: whole, userInterface: z.enum(['restricted', 'open']) }),
  /** The call that failed, and the system's number for why. */
  z.object({ event: z.literal('refused'), job: whole, step: z.string().max(20), code: whole }),
  /** The most memory that was in use at any time; the process that waits in the job counts among the processes. */
  z.object({ event: z.literal('usage'), job: whole, processes: whole, cpuMs: whole, memoryBytes: whole }),
  /** The kernel refused something at this limit, or ended everything for it. */
  z.object({ event: z.literal('limit'), job: whole, limit: z.enum(['memory', 'processes', 'time']) }),
]);
export type BrokerEvent = z.infer<typeof BrokerEvent>;
export type JobEvent = Extract<BrokerEvent, { job: number }>;

/** Null for what is no event. */
export function parseBrokerEvent(line: string): BrokerEvent | null {
  try {
    return BrokerEvent.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

export function toOpenLine(job: number, pid: number, { memoryBytes, processes, cpuMs }: JobLimits): string {
  const limits = [memoryBytes, processes, cpuMs].map((limit) => Math.ceil(limit ?? 0));
  return `${['open', job, pid, ...limits].join(' ')}\n`;
}

export const toEndLine = (job: number): string => `end ${job}\n`;
export const toCloseLine = (job: number): string => `close ${job}\n`;

/** The first line that it is told. */
export const sourceLine = `${Buffer.from(brokerSource).toString('base64')}\n`;

/** The command line of PowerShell. Nothing in it needs quotes, and it waits for no input of its own. */
export function toBrokerArgv(powerShell: string): readonly [string, ...string[]] {
  const command = Buffer.from(bootstrap, 'utf16le').toString('base64');
  const quiet = ['-NoLogo', '-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-OutputFormat', 'Text'];
  return [powerShell, ...quiet, '-EncodedCommand', command];
}
