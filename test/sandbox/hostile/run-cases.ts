// Runs every hostile program under one backend, as the user that this process is, and prints the report.
// Usage: run-cases.ts plainly|bwrap|landlock|none [SET_ID_PROGRAM]
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readOwnTag } from '../../../src/engine/process/owner-tag.ts';
import { openPrivateBase } from '../../../src/engine/sandbox/ownership/private-base.ts';
import { bombExpectations } from '../expectations.ts';
import { findSandbox } from './find-sandbox.ts';
import { killEngine } from './kill-engine.ts';
import type { BombReport, HostileReport } from './report.ts';
import { tryBomb } from './try-bombs.ts';
import { type Mode, tryProbes, tryProbesPlainly } from './try-probes.ts';

const [name = '', setIdProgram = null] = process.argv.slice(2);
const modes: readonly Mode[] = ['ephemeral', 'staged', 'bound'];
const notTried: BombReport = { end: 'not tried', hit: null, keptBytes: 0 };

process.stdout.write(JSON.stringify(name === 'plainly' ? await runPlainly() : await runEnclosed()));

async function runPlainly(): Promise<HostileReport> {
  const probes = { plainly: await tryProbesPlainly(setIdProgram) };
  return { kind: 'ran', probes, bombs: {}, kill: null, leftDirectories: [] };
}

async function runEnclosed(): Promise<HostileReport> {
  const sandbox = await findSandbox(name);
  if (typeof sandbox === 'string') return { kind: 'skipped', reason: sandbox };
  const probes: Extract<HostileReport, { kind: 'ran' }>['probes'] = {};
  for (const mode of modes) probes[mode] = await tryProbes(sandbox, mode, setIdProgram);
  const marker = `bomb-${randomBytes(8).toString('hex')}`;
  const bombs: Record<string, BombReport> = {};
  for (const bomb of Object.keys(bombExpectations)) {
    bombs[bomb] = mayRun(bomb) ? await tryBomb(sandbox, bomb, marker) : notTried;
  }
  const leftDirectories = readdirSync(openPrivateBase()).filter((each) => each.startsWith(readOwnTag()));
  return { kind: 'ran', probes, bombs, kill: await killEngine(name), leftDirectories };
}

/** Where nothing keeps it inside, this one would end whatever else the user runs. */
function mayRun(bomb: string): boolean {
  return bomb !== 'kill-everybody' || name !== 'none';
}
