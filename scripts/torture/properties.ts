// Every test of a property, on other values in each round. A round that fails is told with its seed and its files, which is
// all that it takes to see the fault again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { TortureRow } from './torture.ts';

const root = join(import.meta.dirname, '../..');

export async function tortureProperties(rounds: number): Promise<readonly TortureRow[]> {
  const files = findPropertyTests();
  let failures = 0;
  for (let round = 1; round <= rounds; round++) {
    const seed = randomInt(2 ** 31);
    const failed = await runTests(files, seed);
    failures += failed.length;
    process.stderr.write(`properties, round ${round} of ${rounds}, seed ${seed}: ${failed.join(' ') || 'held'}\n`);
  }
  return [
    { counted: 'Rounds, each under a seed of its own', count: rounds, isFault: false },
    { counted: 'Files with properties, run in each round', count: files.length, isFault: false },
    { counted: 'Files that failed, over all rounds', count: failures, isFault: true },
  ];
}

function findPropertyTests(): string[] {
  const tests = globSync('{src,test}/**/*.test.ts', { cwd: root });
  return tests.filter((file) => readFileSync(join(root, file), 'utf8').includes("from 'fast-check'")).sort();
}

/** The files that failed under this seed; being slow on a busy machine is no fault here. */
async function runTests(files: readonly string[], seed: number): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'torture-properties-'));
  try {
    const report = join(directory, 'report.json');
    const child = spawn(
      'npx',
      ['--no-install', 'vitest', 'run', '--reporter=json', '--testTimeout=120000', `--outputFile=${report}`, ...files],
      {
        cwd: root,
        env: { ...process.env, IO_STUDIO_PROPERTY_SEED: String(seed) },
        stdio: 'ignore',
      },
    );
    await once(child, 'exit');
    const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
    return testResults.filter(({ status }) => status !== 'passed').map(({ name }) => relative(root, name));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const Report = z.object({ testResults: z.array(z.object({ name: z.string(), status: z.string() })) });
