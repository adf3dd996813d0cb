import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

describe('the count reporter', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'count-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function run(tests: string, checks: Record<string, string> = {}): { status: number | null; lines: string[] } {
    writeFileSync(join(folder, 'a.test.ts'), `import { beforeAll, it } from 'vitest';\n${tests}`);
    const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
    const reporters = ['--reporter', join(root, 'scripts/count-reporter.ts')];
    const env = { PATH: process.env.PATH, HOME: folder, ...checks };
    const { status, stdout } = spawnSync(process.execPath, [...words, ...reporters], { env, encoding: 'utf8' });
    return { status, lines: stdout.trimEnd().split('\n') };
  }

  it('counts every state, names what was skipped and why, and closes with the counts', () => {
    const tests = `
      it('passes', () => {});
      it('fails', () => { throw new Error('planted'); });
      it('needs a tool', (context) => context.skip('no such tool here'));
      it.skip('is left out', () => {});`;
    expect(run(tests)).toEqual({
      status: 1,
      lines: [
        'skipped: a.test.ts > needs a tool: no such tool here',
        'skipped: a.test.ts > is left out: no reason given',
        '1 passed, 1 failed, 2 skipped',
      ],
    });
  });

  it('counts a file that does not load as failed, and the checks that ran before', () => {
    const checks = { IO_STUDIO_CHECKS_PASSED: 'lint typecheck', IO_STUDIO_CHECKS_FAILED: '' };
    expect(run("import './missing.ts';\nit('is never reached', () => {});", checks)).toEqual({
      status: 1,
      lines: ['2 passed, 1 failed, 0 skipped'],
    });
  });

  it.runIf(process.platform === 'linux')('counts a process that outlives the tests as failed, and names it', () => {
    const tests = `
      import { spawn } from 'node:child_process';
      it('leaves a process behind', () => spawn('sleep', ['30'], { detached: true, stdio: 'ignore' }).unref());`;
    const { status, lines } = run(tests);
    const [, survivor] = /^outlived the tests: (\d+) sleep 30$/.exec(lines[0] ?? '') ?? [];
    expect([status, survivor === undefined, lines.slice(1)]).toEqual([1, false, ['1 passed, 1 failed, 0 skipped']]);
    process.kill(Number(survivor));
  });
});
