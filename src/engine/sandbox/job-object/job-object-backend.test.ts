import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultLimits, type SandboxDirectory, type SandboxLimits, type SandboxResult } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import { toBrokerArgv } from './broker-protocol.ts';
import { createJobBroker, type JobBroker } from './job-broker.ts';
import { createJobObjectBackend } from './job-object-backend.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'job-object-')));
afterAll(() => rmSync(base, { recursive: true }));

/**
 * Stands for the program that makes jobs: a job is the process group of who waits. `habit` says what else it does when one is
 * opened.
 */
const standIn = (habit = ''): JobBroker => {
  const script = `
    const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
    const jobs = new Map();
    const isThere = (pid) => { try { return process.kill(-pid, 0) } catch { return false } };
    const end = (pid) => { try { process.kill(-pid, 'SIGKILL') } catch { } };
    const usage = (job) => say({ event: 'usage', job, processes: isThere(jobs.get(job)) ? 2 : 0, cpuMs: 400, memoryBytes: 4096 });
    setInterval(() => { for (const job of jobs.keys()) usage(job) }, 20);
    function open(job, pid, memory, processes, cpu) {
      jobs.set(job, pid);
      ${habit}
      say({ event: 'opened', job, userInterface: 'restricted' });
    }
    let isFirst = true;
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      if (isFirst) { isFirst = false; return say({ event: 'ready' }) }
      const [word, job, ...numbers] = line.split(' ');
      if (word === 'open') open(Number(job), ...numbers.map(Number));
      else if (word === 'end') end(jobs.get(Number(job)));
      else jobs.delete(Number(job));
    }).on('close', () => process.exit(0));
  `;
  return createJobBroker({ argv: [process.execPath, '-e', script], environment: {} });
};

const empty: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };

interface Options {
  readonly broker?: JobBroker;
  readonly directory?: SandboxDirectory;
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
}

function run(argv: readonly [string, ...string[]], options: Options = {}): Promise<SandboxResult> {
  const { broker = standIn(), directory = empty, limits, signal = new AbortController().signal } = options;
  const systemRoot = process.env.SystemRoot ?? base;
  const sandbox = toSandbox(createJobObjectBackend({ broker, systemRoot, programs: [dirname(process.execPath)] }));
  const spec = {
    argv,
    directory,
    environment: { GIVEN: 'yes' },
    limits: { ...defaultLimits, wallMs: 20_000, ...limits },
  };
  return sandbox.run(spec, signal);
}

const script = (text: string, options?: Options) => run([process.execPath, '-e', text], options);
const forever = 'setInterval(() => {}, 1000)';

describe.skipIf(process.platform === 'win32')('a command in a job', () => {
  it('says everything about its end', async () => {
    expect(await script('console.log(process.env.GIVEN, process.env.OWN); console.error(1); process.exit(3)')).toEqual({
      kind: 'exit',
      code: 3,
      isolation: 'none',
      stdout: { text: 'yes undefined\n', droppedBytes: 0 },
      stderr: { text: '1\n', droppedBytes: 0 },
      durationMs: expect.any(Number),
      leavings: { kind: 'files', files: new Map() },
      survivors: 0,
    });
  });

  it('starts only when it is in its job', async () => {
    const broker = standIn(`require('node:fs').writeFileSync(${JSON.stringify(join(base, 'in-job'))}, '')`);
    const text = `console.log(require('node:fs').existsSync(${JSON.stringify(join(base, 'in-job'))}))`;
    expect(await script(text, { broker })).toMatchObject({ stdout: { text: 'true\n' } });
  });

  it('shares what makes jobs with all others', async () => {
    const broker = standIn();
    const results = await Promise.all([1, 2, 3].map((code) => script(`process.exit(${code})`, { broker })));
    expect(results.map((result) => (result.kind === 'exit' ? result.code : result))).toEqual([1, 2, 3]);
  });

  it.each<[string, string, Partial<SandboxLimits>, object]>([
    [
      'memory, when the kernel refused it more',
      `say({ event: 'limit', job, limit: 'memory' }); usage(job);`,
      { memoryBytes: 1_000_000 },
      { cap: 'memory', limit: 1_000_000, observed: 1_000_001 },
    ],
    [
      'processes, when the kernel refused it one',
      `say({ event: 'limit', job, limit: 'processes' }); usage(job);`,
      { processes: 9 },
      { cap: 'processes', limit: 9, observed: 9, enforcement: 'kernel' },
    ],
    [
      'processor time, when the kernel ended it',
      `setTimeout(() => { say({ event: 'limit', job, limit: 'time' }); end(pid) }, 300);`,
      { cpuMs: 500 },
      { cap: 'cpu', limit: 500, enforcement: 'kernel' },
    ],
    ['time', '', { wallMs: 300 }, { cap: 'wall' }],
  ])('is ended at its limit on %s', async (_title, habit, limits, hit) => {
    expect(await script(forever, { broker: standIn(habit), limits })).toMatchObject({ kind: 'cap', hit, survivors: 0 });
  });

  it('is ended with everything in its job when it is cancelled', async () => {
    const abort = new AbortController();
    const broker = standIn();
    await broker.ready();
    const running = script(forever, { broker, signal: abort.signal });
    setTimeout(() => abort.abort(), 200);
    expect(await running).toMatchObject({ kind: 'cancelled', survivors: 0 });
  });

  it('ends when what made its job ends, which takes it along', async () => {
    const broker = standIn('setTimeout(() => { end(pid); process.exit(1) }, 300);');
    expect(await script(forever, { broker })).toMatchObject({ kind: 'signal', signal: 'SIGKILL', survivors: 0 });
    expect(await script('process.exit(4)', { broker: standIn() })).toMatchObject({ kind: 'exit', code: 4 });
  });
});

describe('what never starts in a job', () => {
  const broken = (text: string): JobBroker =>
    createJobBroker({ argv: [process.execPath, '-e', text], environment: {} });
  const unavailable = (reason: string) => ({
    kind: 'not-started',
    program: process.execPath,
    stage: 'unavailable',
    reason,
  });

  it.each<[string, string, string]>([
    [
      'may run no programs of its own',
      `console.log('{"event":"unfit","reason":"language"}')`,
      'PowerShell may run no programs of its own here (its language is constrained)',
    ],
    [
      'can compile none',
      `console.log('{"event":"unfit","reason":"compiler"}')`,
      'PowerShell could not compile the program that makes jobs',
    ],
    [
      'says what nobody understands',
      `console.log('WARNING'); ${forever}`,
      'the program that makes jobs ended, or did not answer, before it could be used',
    ],
    [
      'ends at once',
      'process.exit(1)',
      'the program that makes jobs ended, or did not answer, before it could be used',
    ],
  ])('is anything where PowerShell %s', async (_title, text, reason) => {
    expect(await script('', { broker: broken(text) })).toEqual(unavailable(reason));
  });

  it('is anything where there is no PowerShell', async () => {
    const broker = createJobBroker({ argv: [join(base, 'no-power-shell.exe')], environment: {} });
    expect(await script('', { broker })).toMatchObject({ kind: 'not-started', stage: 'unavailable' });
  });

  it('is a command that the system makes no job for', async () => {
    const broker = standIn(`return say({ event: 'refused', job, step: 'assign', code: 5 });`);
    expect(await script('', { broker })).toMatchObject({
      kind: 'not-started',
      stage: 'sandbox',
      reason: 'Windows made no job for it (assign: error 5)',
    });
  });

  it('is a program that is missing, or that the system cannot start', async () => {
    const files = [{ path: 'broken.exe', bytes: Buffer.from('no program'), mode: 0o644 }] as const;
    const directory: SandboxDirectory = { mode: 'ephemeral', files, collect: [] };
    expect([await run(['no-such-program']), await run(['./broken.exe'], { directory })]).toMatchObject([
      { kind: 'not-started', stage: 'program', reason: 'there is no such executable program' },
      { kind: 'not-started', stage: 'program', reason: expect.stringContaining('spawn') },
    ]);
  });
});

const systemRoot = process.env.SystemRoot ?? '';
const powerShell = join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');

describe.runIf(process.platform === 'win32')('a command in a job of Windows (needs Windows)', () => {
  const environment = { SystemRoot: systemRoot, TEMP: tmpdir(), TMP: tmpdir() };
  const broker = createJobBroker({ argv: toBrokerArgv(powerShell), environment });

  it('runs to its end', async () => {
    expect(await script('console.log(process.env.GIVEN)', { broker })).toMatchObject({
      kind: 'exit',
      code: 0,
      stdout: { text: 'yes\n' },
      survivors: 0,
    });
  }, 60_000);

  it.each<[string, string, Partial<SandboxLimits>, object]>([
    [
      'memory',
      'const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1))',
      { memoryBytes: 2 ** 28 },
      { cap: 'memory' },
    ],
    [
      'processes',
      `for (let i = 0; i < 20; i++) require('node:child_process').spawn(process.execPath, ['-e', '${forever}'])`,
      { processes: 5 },
      { cap: 'processes' },
    ],
    ['processor time', 'for (;;);', { cpuMs: 1_000 }, { cap: 'cpu' }],
    ['time', forever, { wallMs: 1_000 }, { cap: 'wall' }],
  ])(
    'is ended at its limit on %s',
    async (_title, text, limits, hit) => {
      expect(await script(text, { broker, limits })).toMatchObject({ kind: 'cap', hit, survivors: 0 });
    },
    60_000,
  );

  it('leaves nothing running that it started and let go of', async () => {
    const text = `require('node:child_process').spawn(process.execPath, ['-e', '${forever}'], { detached: true, stdio: 'ignore' }).unref()`;
    expect(await script(text, { broker })).toMatchObject({ kind: 'exit', survivors: 0 });
  }, 60_000);
});
