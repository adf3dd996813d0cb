// The demo: a copy of a small repository with failing tests, a model server that plays a script over real HTTP, and the
// engine in between, started as a user would start it. Nothing leaves this machine.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ScriptedReply } from '../test/support/scripted-model-script.ts';
import { startScriptedModelServer } from '../test/support/scripted-model-server.ts';
import { launch, read } from './launch.ts';

const root = resolve(import.meta.dirname, '..');

/** What the model does: look, fix one fault, claim too early, be shown the failing test, fix the other. */
const script: readonly ScriptedReply[] = [
  {
    text: 'I will look at the repository and its tests first.',
    calls: [
      { tool: 'list_dir', arguments: { path: '.' } },
      { tool: 'read_file', arguments: { path: 'test/rates.test.js' } },
      { tool: 'read_file', arguments: { path: 'src/rates.js' } },
    ],
  },
  {
    text: 'A kilogram that is only begun must be charged, so the weight has to be rounded up.',
    calls: [
      {
        tool: 'edit_file',
        arguments: { path: 'src/rates.js', old: 'Math.floor(grams / 1000)', new: 'Math.ceil(grams / 1000)' },
      },
    ],
  },
  { text: 'The weight is rounded up now; that should be all.' },
  {
    text: 'The discount is still wrong: it begins with the fifth parcel.',
    calls: [{ tool: 'grep', arguments: { pattern: 'parcels\\.length', path: 'src' } }],
  },
  {
    calls: [
      { tool: 'edit_file', arguments: { path: 'src/rates.js', old: 'parcels.length > 5', new: 'parcels.length >= 5' } },
    ],
  },
  { text: 'Both faults are fixed: weights are rounded up, and the discount begins with the fifth parcel.' },
];

const place = await mkdtemp(join(tmpdir(), 'io-studio-demo-'));
try {
  process.exitCode = await runDemo();
} finally {
  await rm(place, { recursive: true, force: true });
}

async function runDemo(): Promise<number> {
  const workspace = join(place, 'parcel-rates');
  const home = join(place, 'home');
  await cp(join(root, 'examples/demo-repository'), workspace, { recursive: true });
  await using server = await startScriptedModelServer(script.map((reply) => ({ ...reply, eventDelayMs: 15 })));
  const environment = { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'scripted', OPENAI_API_KEY: '' };

  say(`A copy of examples/demo-repository lies in ${workspace}; two of its five tests fail.`);
  say('The model is a script behind a real HTTP server on this machine. The engine does not know that.\n');
  const args = ['--goal', 'Make the tests of this repository pass. Change only src/.', '--verify', 'node --test'];
  const options = ['--provider', 'openai', '--workspace', workspace, '--home', home, '--approve', 'all'];
  say(`$ io-studio run ${[...args, ...options].map(quote).join(' ')}\n`);
  const code = await launch(['run', ...args, ...options], environment);
  const [runId] = /run-[0-9a-z]+/.exec(await read(['runs', '--home', home], environment)) ?? [];
  if (code !== 0 || runId === undefined) return code || 1;

  say(`\n$ io-studio trace ${runId} --home ${home}\n`);
  await launch(['trace', runId, '--home', home], environment);
  await showPolicy(runId, { workspace, home, environment });
  say(`
That was the demo. To run it on your own repository, set a key and a model of your choice:

  export OPENROUTER_API_KEY=…  OPENROUTER_MODEL=…          (or OPENAI_API_KEY and OPENAI_MODEL)
  export OPENAI_BASE_URL=http://127.0.0.1:11434/v1  OPENAI_MODEL=…   (a local runtime; no key)
  ${join(root, 'bin/io-studio')} run --goal "…" --verify "npm test" --workspace DIR --approve all
`);
  return 0;
}

interface DemoRun {
  readonly workspace: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** What rules of one's own would have meant for this very run. */
async function showPolicy(runId: string, { workspace, home, environment }: DemoRun): Promise<void> {
  const policy = join(root, 'examples/only-sources.policy.jsonc');
  say('\nEvery write of that run was asked about, and --approve all said yes. With rules of your own:');
  const questions = [
    ['explain', 'write', 'test/rates.test.js', '--policy', policy, '--workspace', workspace],
    ['explain', 'exec', 'node --test && rm -rf src', '--policy', policy, '--workspace', workspace],
    ['simulate', runId, '--policy', policy],
  ];
  for (const question of questions) {
    say(`\n$ io-studio ${question.map(quote).join(' ')}\n`);
    await launch([...question, '--home', home], environment);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs the engine with this terminal as its own. */
function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
