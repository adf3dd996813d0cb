// The demo of many agents: one run spawns four, each of which fixes one failing module of a small repository. The model is a
// script behind a real HTTP server; the engine, its sandbox and the tests are real. Nothing leaves this machine.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ScriptedReply } from '../test/support/scripted-model-script.ts';
import { startScriptedModelServer } from '../test/support/scripted-model-server.ts';
import { findAgent } from '../test/support/tree-script.ts';
import { launch, read } from './launch.ts';

const root = resolve(import.meta.dirname, '..');
const example = join(root, 'examples/fan-out');

interface Repair {
  readonly module: string;
  readonly old: string;
  readonly new: string;
}

const repairs: readonly Repair[] = [
  {
    module: 'due-date',
    old: 'due.setDate(due.getUTCDate() + days - 1)',
    new: 'due.setUTCDate(due.getUTCDate() + days)',
  },
  { module: 'money', old: 'toFixed(1)', new: 'toFixed(2)' },
  { module: 'number', old: 'Number(count) + 1', new: "String(Number(count) + 1).padStart(count.length, '0')" },
  { module: 'tax', old: '(grossCents * percent) / 100', new: '(grossCents * percent) / (100 + percent)' },
];

const place = await mkdtemp(join(tmpdir(), 'io-studio-demo-'));
try {
  process.exitCode = await runDemo();
} finally {
  await rm(place, { recursive: true, force: true });
}

async function runDemo(): Promise<number> {
  const [workspace, home, contract] = [join(place, 'invoice-kit'), join(place, 'home'), join(place, 'contract.json')];
  await cp(example, workspace, { recursive: true });
  const told = JSON.parse(await readFile(join(example, 'contract.json'), 'utf8'));
  await writeFile(contract, JSON.stringify({ ...told, workspace }));
  await using server = await startScriptedModelServer((request) => {
    const agent = findAgent(request);
    return { ...(agent === 'root' ? toRootReply : toMemberReply)(request.position, agent), eventDelayMs: 15 };
  });
  const environment = { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'scripted', OPENAI_API_KEY: '' };
  const where = ['--provider', 'openai', '--home', home];
  const code = await show(['run', '--contract', contract, ...where, '--approve', 'all'], environment);
  const listed = await read(['runs', '--home', home], environment);
  const [runId] = /run-[0-9a-z]+/.exec(listed) ?? [];
  if (code !== 0 || runId === undefined) return code || 1;
  return show(['tree', runId, '--home', home], environment);
}

function toRootReply(position: number): ScriptedReply {
  if (position > 0) return { text: 'Each module is repaired, and the agents say that their tests pass.' };
  const calls = repairs.map(({ module }) => ({
    tool: 'spawn_agent',
    arguments: {
      goal: `Repair src/${module}.js so that test/${module}.test.js passes. Change no other file.`,
      verification: { kind: 'command', argv: ['node', '--test', `test/${module}.test.js`] },
      deny: [{ act: 'write', pattern: 'test/*' }],
      budgets: { steps: 6 },
    },
  }));
  return { text: 'Four modules, four failing tests that have nothing to do with each other.', calls };
}

/** The agent of the call at this place repairs the module at this place. */
function toMemberReply(position: number, agent: string): ScriptedReply {
  const repair = repairs[Number(agent.split('.').at(-1))];
  if (repair === undefined) throw new RangeError(`The script has nothing for ${agent}`);
  const path = `src/${repair.module}.js`;
  if (position === 0) return { calls: [{ tool: 'read_file', arguments: { path } }] };
  if (position === 1) return { calls: [{ tool: 'edit_file', arguments: { path, old: repair.old, new: repair.new } }] };
  return { text: `${path} is repaired.` };
}

function show(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  process.stdout.write(`\n$ io-studio ${args.join(' ')}\n\n`);
  return launch(args, env);
}
