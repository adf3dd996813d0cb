// Runs a measuring script as the engine's user that this process is, and under root as an ordinary one too: a root engine
// encloses commands in another way, and both have to be fast.
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { startNode, toEnd } from './start-node.ts';

export interface TakenAsEngine<Result> {
  /** How the table names it. */
  readonly engine: 'root engine' | 'ordinary engine';
  readonly result: Result;
}

/** The script prints one JSON value. */
export async function runAsEngines<Schema extends z.ZodType>(
  script: string,
  schema: Schema,
): Promise<TakenAsEngine<z.infer<Schema>>[]> {
  const isRoot = process.geteuid?.() === 0;
  const own = { engine: isRoot ? 'root engine' : 'ordinary engine', result: await run(script, schema) } as const;
  if (!isRoot) return [own];
  if (spawnSync(process.execPath, ['--eval', look, script], { ...ordinary, env: ordinary.environment }).status !== 0) {
    process.stderr.write('An ordinary user may not read this checkout or not write to TMPDIR; left out.\n');
    return [own];
  }
  return [own, { engine: 'ordinary engine', result: await run(script, schema, ordinary) }];
}

/** Of nobody else, and none that an engine gives to its sandboxes. */
const ordinary = {
  uid: 60_612,
  gid: 60_612,
  environment: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', TMPDIR: process.env.TMPDIR },
};

const look = `const fs = require('node:fs');
fs.accessSync(process.argv[1], fs.constants.R_OK);
fs.accessSync(require('node:os').tmpdir(), fs.constants.W_OK);`;

async function run<Schema extends z.ZodType>(
  script: string,
  schema: Schema,
  user?: typeof ordinary,
): Promise<z.infer<Schema>> {
  const child = startNode(script, [], { stdout: 'pipe', ...(user === undefined ? {} : { user }) });
  const [output] = await Promise.all([text(child.stdout ?? process.stdin), toEnd(child)]);
  return schema.parse(JSON.parse(output));
}
