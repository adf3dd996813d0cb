// What people wait for: tests of small projects by the usual tools, inside a sandbox and outside of any.
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { findToolchains } from '../../src/engine/sandbox/toolchain/find-toolchains.ts';
import { toProgramDirectories } from '../../src/engine/sandbox/toolchain/to-sandbox-environment.ts';
import { atMostTimes, type Figure, type Measure } from '../support/figure.ts';
import { findBackend } from '../support/find-backend.ts';
import { openScratch } from '../support/scratch.ts';
import { median } from '../support/statistics.ts';
import { timeLaunch } from '../support/time-launch.ts';
import { timePlain } from '../support/time-plain.ts';
import { type ToolchainProject, toolchainProjects } from '../support/toolchain-projects.ts';

const rounds = 5;

export const sandboxToolchain: Measure = {
  name: 'sandbox-toolchain',
  title: 'Tests of small projects in a sandbox',
  async run() {
    const backend = await findBackend('bwrap');
    const figures: Figure[] = [];
    for (const project of toolchainProjects) figures.push(await compare(backend, project));
    return figures;
  },
};

async function compare(backend: Backend | null, project: ToolchainProject): Promise<Figure> {
  const isInstalled = findToolchains().some(({ name }) => name === project.needs);
  const [plain, ours]: [number[], number[]] = [[], []];
  for (let round = 0; backend !== null && isInstalled && round < rounds; round++) {
    plain.push(await runPlainly(project));
    ours.push(await runInside(backend, project));
  }
  const seconds = (times: readonly number[]) => (times.length === 0 ? Number.NaN : median(times) / 1000);
  return atMostTimes(1.3, { label: project.label, unit: 's', floor: seconds(plain), ours: seconds(ours) });
}

/** The same tools as their own settings have them: what a sandbox sets for them is a part of what it costs. */
async function runPlainly({ files, argv }: ToolchainProject): Promise<number> {
  using scratch = openScratch();
  const [home, directory] = [join(scratch.path, 'home'), join(scratch.path, 'work')];
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const path = toProgramDirectories(findToolchains()).join(':');
  const environment = { PATH: path, HOME: home, TMPDIR: home, LANG: 'C.UTF-8' };
  return await timePlain(argv, { directory, environment });
}

async function runInside(backend: Backend, { files, argv }: ToolchainProject): Promise<number> {
  const list = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text), mode: 0o644 }) as const);
  const directory = { mode: 'ephemeral', files: list, collect: [] } as const;
  const { result, at } = await timeLaunch(backend, { argv, directory, environment: {}, limits: defaultLimits });
  assert.ok(result.kind === 'exit' && result.code === 0, JSON.stringify(result));
  return at.answered - at.asked;
}
