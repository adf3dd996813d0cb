// Starts `true` in every kind of sandbox in turns with nothing around it, and prints the medians.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findHostHelper } from '../../src/engine/process/find-host-helper.ts';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { defaultLimits, type SandboxDirectory } from '../../src/engine/sandbox/sandbox.ts';
import { findBackend } from '../support/find-backend.ts';
import { openScratch } from '../support/scratch.ts';
import { median } from '../support/statistics.ts';
import { takeTurns } from '../support/take-turns.ts';
import { type Instants, timeLaunch } from '../support/time-launch.ts';
import { timePlain } from '../support/time-plain.ts';

const rounds = 50;
const warmUps = 5;

using scratch = openScratch();
const workspace = join(scratch.path, 'work');
mkdirSync(workspace);
const ephemeral: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };
const perl = findHostHelper('perl');
const [bwrap, landlock, floor] = [await findBackend('bwrap'), await findBackend('landlock'), await findBackend('none')];

const subjects: Record<string, () => Promise<number>> = { bare: () => timePlain(['/bin/true']) };
const parts: Instants[] = [];
if (perl !== null) subjects.perl = () => timePlain([perl, '-e', '1']);
if (bwrap !== null) {
  subjects.bound = async () => toTotal(await start(bwrap, { mode: 'bound', workspace, hidden: [] }));
  subjects.ephemeral = async () => {
    const at = await start(bwrap, ephemeral);
    parts.push(at);
    return toTotal(at);
  };
}
if (landlock !== null) subjects.landlock = async () => toTotal(await start(landlock, ephemeral));
if (floor !== null) subjects.floor = async () => toTotal(await start(floor, ephemeral));

await takeTurns(warmUps, subjects);
const medians = await takeTurns(rounds, subjects);
const residentMiB = process.memoryUsage.rss() / 1024 ** 2;
process.stdout.write(JSON.stringify({ ...medians, parts: toParts(parts.slice(warmUps)), residentMiB }));

async function start(backend: Backend, directory: SandboxDirectory): Promise<Instants> {
  const spec = { argv: ['true'], directory, environment: {}, limits: defaultLimits } as const;
  const { result, at } = await timeLaunch(backend, spec);
  if (result.kind !== 'exit' || result.code !== 0) throw new Error(`true ended as ${JSON.stringify(result)}`);
  return at;
}

function toTotal(at: Instants): number {
  return at.answered - at.asked;
}

/** How long each part of a start took, in their order. */
function toParts(all: readonly Instants[]) {
  if (all.length === 0) return {};
  const between = (from: keyof Instants, to: keyof Instants) => median(all.map((at) => at[to] - at[from]));
  return {
    prepare: between('asked', 'prepared'),
    spawn: between('prepared', 'started'),
    launcher: between('started', 'mounted'),
    bubblewrap: between('mounted', 'begun'),
    command: between('begun', 'ended'),
    tidy: between('ended', 'answered'),
  };
}
