// The built command line as a script starts it: how soon it asks, how soon it is gone, and what memory it takes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, type Measure } from '../support/figure.ts';
import { toWorkingTask } from '../support/model-script.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { nowMs } from '../support/now-ms.ts';
import { openScratch, type Scratch } from '../support/scratch.ts';
import { median } from '../support/statistics.ts';

const launcher = join(import.meta.dirname, '../../bin/io-studio');
const rounds = 9;
const steps = 20;

export const commandLine: Measure = {
  name: 'cli',
  title: `The built command line, ${steps} steps`,
  async run() {
    await using server = await startModelServer();
    using scratch = openScratch();
    mkdirSync(join(scratch.path, 'home'));
    await launchOurs(server, scratch, 'warm-up');
    const floor: Launched[] = [];
    const ours: Launched[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(await launchFloor(server));
      ours.push(await launchOurs(server, scratch, `work-${round}`));
    }
    const compare = (read: (launched: Launched) => number) => ({
      floor: median(floor.map(read)),
      ours: median(ours.map(read)),
    });
    return [
      atMost(0.5, { label: 'start to first request', unit: 's', ...compare(({ startMs }) => startMs / 1000) }),
      atMost(0.15, { label: 'outcome to exit', unit: 's', ...compare(({ exitMs }) => exitMs / 1000) }),
      atMost(150, { label: 'peak resident memory', unit: 'MiB', ...compare(({ peakMiB }) => peakMiB) }),
    ];
  },
};

interface Launched {
  readonly startMs: number;
  /** From the last byte of the last reply: the contract names no check, so that reply is the outcome. */
  readonly exitMs: number;
  readonly peakMiB: number;
}

function launchOurs(server: ModelServer, { path, createWorkspace }: Scratch, name: string): Promise<Launched> {
  const goal = ['--goal', toWorkingTask(steps), '--workspace', createWorkspace(name), '--steps', String(steps + 1)];
  const args = ['run', ...goal, '--home', join(path, 'home'), '--provider', 'openai', '--approve', 'all'];
  const environment = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'scripted', OPENAI_API_KEY: 'benchmark-key' };
  return launch(server, { command: [launcher, ...args], environment, requests: steps + 1 });
}

/** Node alone, with one request: what no program on it can go below. */
function launchFloor(server: ModelServer): Promise<Launched> {
  const body = JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: toWorkingTask(0) }] });
  const options = JSON.stringify({ method: 'POST', body });
  const script = `fetch('${server.url}/chat/completions', ${options}).then((response) => response.text())`;
  return launch(server, { command: [process.execPath, '-e', script], environment: {}, requests: 1 });
}

interface LaunchOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** How many are to come. */
  readonly requests: number;
}

async function launch(server: ModelServer, options: LaunchOptions): Promise<Launched> {
  const { result: end, requests } = await server.recordRequests(() => runToEnd(options));
  const [first, last] = [requests[0], requests.at(-1)];
  if (first === undefined || last === undefined || requests.length !== options.requests) {
    throw new Error(`${requests.length} requests came instead of ${options.requests}`);
  }
  return { startMs: first.arrivedAt - end.startedAt, exitMs: end.exitedAt - last.finishedAt, peakMiB: end.peakMiB };
}

interface Ended {
  readonly startedAt: number;
  readonly exitedAt: number;
  readonly peakMiB: number;
}

const lookEveryMs = 10;

/** The peak is kept by the kernel, so only the last look at it counts; the process starts no other. */
async function runToEnd({ command: [program = '', ...args], environment }: LaunchOptions): Promise<Ended> {
  const startedAt = nowMs();
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit').then(([code]) => ({ code, exitedAt: nowMs() }));
  let peakMiB = 0;
  const looking = setInterval(() => {
    peakMiB = Math.max(peakMiB, readPeakMiB(child.pid));
  }, lookEveryMs);
  const { code, exitedAt } = await exited.finally(() => clearInterval(looking));
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
  return { startedAt, exitedAt, peakMiB: peakMiB === 0 ? Number.NaN : peakMiB };
}

function readPeakMiB(pid: number | undefined): number {
  try {
    const [, kibibytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return 0; // It has ended meanwhile, or this system does not tell.
  }
}
