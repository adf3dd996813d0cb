// Generated rules over generated trees, with a command at work in them and somebody outside who works there too, one step
// after the other: whatever both do, what is denied stays out of the command's reach, and nothing denied stays that it made.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluatePolicy } from '../../src/engine/policy/evaluate-policy.ts';
import type { Policy, Rule } from '../../src/engine/policy/policy.ts';
import {
  defaultLimits,
  type LiveCommand,
  type SandboxResult,
  type SandboxSession,
} from '../../src/engine/sandbox/sandbox.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../support/guarded-workspace.ts';
import { findSandbox } from './hostile/find-sandbox.ts';

const sandbox = await findSandbox('bwrap');

/** Few names, so that rules and steps meet. */
const name = fc.constantFrom('a', 'b', 'c');
const path = fc
  .oneof(
    { weight: 4, arbitrary: fc.tuple(name) },
    { weight: 4, arbitrary: fc.tuple(name, name) },
    { weight: 1, arbitrary: fc.tuple(name, name, name) },
  )
  .map((names) => names.join('/'));
const pattern = fc.constantFrom('a', 'b', 'c', 'c', 'a/b', 'a/*', 'b/c', 'c/*', '*/c', 'a/b/c', 'b*');

const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ act: fc.constant('read'), effect: fc.constant('deny'), pattern }),
  fc.record({ act: fc.constant('write'), effect: fc.constantFrom('deny', 'deny', 'deny', 'ask', 'allow'), pattern }),
);
const policy: fc.Arbitrary<[Rule[], 'allow' | 'ask']> = fc.tuple(
  fc.array(rule, { minLength: 1, maxLength: 4 }),
  fc.constantFrom('allow', 'allow', 'ask'),
);

type Step = readonly ['inside' | 'outside', 'write' | 'replace' | 'move' | 'remove' | 'make' | 'link', string, string];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('inside', 'inside', 'outside'),
  fc.constantFrom('write', 'write', 'replace', 'move', 'move', 'remove', 'make', 'link'),
  path,
  path,
);

const files = fc.array(path, { minLength: 2, maxLength: 5 });
const steps = fc.array(step, { minLength: 4, maxLength: 10 });

const toPolicy = ([rules, write]: [Rule[], 'allow' | 'ask']): Policy => ({
  layers: [{ name: 'test', origin: 'user', rules, remedy: '' }],
  defaults: { read: 'allow', write, exec: 'allow', net: 'deny' },
});

/** The directory above something denied is moved, which would leave its name free: by chance that is tried too seldom. */
const movedAway: [[Rule[], 'allow' | 'ask'], string[], Step[]] = [
  [[{ act: 'write', effect: 'deny', pattern: 'a/b' }], 'allow'],
  ['a/b'],
  [
    ['inside', 'move', 'a', 'c'],
    ['inside', 'make', 'a', 'a'],
    ['inside', 'write', 'a/b', 'a'],
  ],
];

describe.skipIf(typeof sandbox === 'string')('generated rules over generated trees', () => {
  it('are kept for a process that works in the workspace itself', async () => {
    const seen = { hidden: 0, shut: 0, kept: 0, aside: 0 };
    await fc.assert(
      fc.asyncProperty(policy, files, steps, async (rules, start, todo) => {
        await using world = await openWorld(toPolicy(rules), start);
        const before = world.list();
        const contents = before.filter((path) => world.read(path) !== null);
        const unseen = await world.guard.hidden(world.stance);
        const { output, made, links, touched } = await world.work(todo);
        const isTouched = (path: string) => touched.some((each) => isBelow(each, path) || isBelow(path, each));
        for (const path of contents.filter((each) => !isTouched(each))) {
          const isUnseen = unseen.some((each) => isBelow(each, path));
          const isShut = isUnseen || !world.mayWrite(path);
          if (isUnseen) expect([path, output.includes(toContent(path))]).toEqual([path, false]);
          if (isShut) expect([path, world.read(path)]).toEqual([path, toContent(path)]);
          if (isShut) seen[isUnseen ? 'hidden' : 'shut']++;
        }
        for (const path of made) {
          if (touched.some((each) => isBelow(each, path))) continue;
          const isRefused = toWay(path).some((each) => !before.includes(each) && !world.mayWrite(each));
          seen[isRefused ? 'aside' : 'kept']++;
          // A link counts where it leads as well.
          if (isRefused || !links.has(path)) expect([path, world.has(path)]).toEqual([path, !isRefused]);
        }
      }),
      { numRuns: 50, examples: [movedAway] },
    );
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  });

  it('let nothing of a staged command into the workspace before it is judged, and nothing denied then', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(policy, files, steps, async (rules, start, todo) => {
        await using world = await openWorld(toPolicy(rules), start);
        const { result, made } = await world.workStaged(todo);
        expect([...made]).toEqual([]);
        const refused = () => Object.fromEntries(world.describe().filter(([path]) => !world.mayWrite(path)));
        const before = refused();
        const leavings = result.kind === 'exit' ? result.leavings : null;
        for (const change of leavings?.kind === 'changes' ? leavings.changes : []) {
          const { kind } = await world.guard.change(change, { permitted: 'allow' }, world.stance);
          if (kind === 'made') applied++;
        }
        expect(refused()).toEqual(before);
      }),
      { numRuns: 20 },
    );
    expect(applied).toBeGreaterThan(0);
  });
});

const isBelow = (above: string, path: string): boolean => path === above || path.startsWith(`${above}/`);

const toContent = (path: string): string => `content of ${path.replaceAll('/', '-')}.`;

/** The path and everything above it. */
const toWay = (path: string): string[] => path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));

interface World extends AsyncDisposable, Pick<GuardedWorkspace, 'guard' | 'stance'> {
  mayWrite(path: string): boolean;
  list(): string[];
  /** What lies at each path. */
  describe(): [string, string][];
  has(path: string): boolean;
  /** Null for what is no file. */
  read(path: string): string | null;
  work(steps: readonly Step[]): Promise<Worked>;
  workStaged(steps: readonly Step[]): Promise<Worked & { readonly result: SandboxResult }>;
}

interface Worked {
  readonly output: string;
  /** What came to be in the workspace in a step of the command, and was not removed again. */
  readonly made: ReadonlySet<string>;
  /** Those of them that were links in the end. */
  readonly links: ReadonlySet<string>;
  /** Where somebody outside was at work. */
  readonly touched: readonly string[];
}

async function openWorld(policy: Policy, start: readonly string[]): Promise<World> {
  if (typeof sandbox === 'string') throw new Error(sandbox);
  const workspace = await openGuardedWorkspace(policy, { sandbox });
  const { guard, stance, path: root } = workspace;
  for (const file of start) attempt(() => workspace.write(file, toContent(file)));
  workspace.write('driver', driver);
  chmodSync(join(root, 'driver'), 0o755);
  const list = (): string[] => listBelow(root, '').filter((each) => each !== 'driver');
  const stats = (path: string) => lookAt(join(root, path));
  const read = (path: string) => (stats(path)?.isFile() ? workspace.read(path).toString() : null);
  const observe = { root, outside: workspace.outside, list };
  return {
    guard,
    stance,
    list,
    read,
    describe: () => list().map((path) => [path, read(path) ?? String(stats(path)?.mode)]),
    has: (path) => stats(path) !== undefined,
    mayWrite: (target) => {
      const act = { kind: 'write', target, real: target, letterCase: 'exact', outside: false } as const;
      return evaluatePolicy(policy, act, stance).effect === 'allow';
    },
    async work(steps) {
      const commands = guard.commands(stance);
      const run = (session: SandboxSession) =>
        commands.run(
          {
            command: { argv: ['./driver'] },
            wallMs: 30_000,
            permitted: 'ask',
            process: { name: 'p1', session, writes: 'allow', onWorkspace: () => undefined },
          },
          never,
        );
      const { ended, ...worked } = await drive(steps, observe, run);
      if (ended.kind === 'refused') throw new Error(ended.because);
      return worked;
    },
    async workStaged(steps) {
      const directory = { mode: 'staged', workspace: root, hidden: await guard.hidden(stance) } as const;
      const limits = { ...defaultLimits, wallMs: 30_000 };
      const run = (session: SandboxSession) =>
        sandbox.run({ argv: ['./driver'], directory, environment: {}, limits, session }, never);
      const { ended, ...worked } = await drive(steps, observe, run);
      return { ...worked, result: ended };
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

/** Links are not followed. */
function listBelow(root: string, above: string): string[] {
  return readdirSync(join(root, above), { withFileTypes: true }).flatMap((entry) => {
    const path = join(above, entry.name);
    return [path, ...(entry.isDirectory() ? listBelow(root, path) : [])];
  });
}

/** Undefined also where a file came to stand on the way. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const never = new AbortController().signal;

/** Does each line that it is told, tries to read all there is, itself too, and says that it is done. */
const driver = `#!/bin/bash
write() { echo -n mine > "$1"; }
replace() { echo -n mine > /tmp/new && cp /tmp/new "$1.new" && mv -T "$1.new" "$1"; rm -f "$1.new"; }
move() { mv -T "$1" "$2"; }
remove() { rm -rf "$1"; }
make() { mkdir -p "$1"; }
link() { ln -sT "$2" "$1"; }
while IFS= read -r line; do
  eval "$line" 2> /dev/null
  find . -type f -exec cat {} + 2> /dev/null
  echo "[do""ne]"
done`;

interface Observed {
  readonly root: string;
  readonly outside: string;
  list(): string[];
}

/** One step after the other, until all are done or the command has ended. */
async function drive<End>(
  steps: readonly Step[],
  { root, outside, list }: Observed,
  run: (session: SandboxSession) => Promise<End>,
): Promise<Worked & { readonly ended: End }> {
  const begun = Promise.withResolvers<LiveCommand>();
  let output = '';
  let told = Promise.withResolvers<void>();
  const onOutput = (bytes: Uint8Array): void => {
    output += Buffer.from(bytes).toString();
    told.resolve();
    told = Promise.withResolvers();
  };
  const ending = run({ onStart: begun.resolve, onOutput });
  let isOver = false;
  const over = ending.finally(() => {
    isOver = true;
  });
  const live = await Promise.race([begun.promise, over.then(() => null)]);
  const made = new Set<string>();
  const touched: string[] = [];
  let done = 0;
  for (const [where, what, path, other] of steps) {
    const before = new Set(list());
    if (where === 'outside') {
      for (const each of what === 'move' ? [path, other] : [path]) touched.push(each, toReal(root, each));
      workOutside({ root, outside }, what, path, other);
    } else if (live !== null && !isOver) {
      done++;
      await live.write(Buffer.from(`${what} '${path}' '${other}'\n`));
      while (!isOver && output.split('[done]').length <= done) await Promise.race([told.promise, over]);
    }
    const now = new Set(list());
    for (const each of now) if (where === 'inside' && !before.has(each)) made.add(each);
    for (const each of before) if (!now.has(each)) made.delete(each);
  }
  const links = new Set([...made].filter((each) => lstatSync(join(root, each)).isSymbolicLink()));
  live?.closeInput();
  const ended = await ending;
  return { output, made, links, touched, ended };
}

/** Where it is once every link on the way is followed, as whoever works outside follows them. */
function toReal(root: string, path: string): string {
  try {
    return relative(root, realpathSync(join(root, path)));
  } catch {
    const above = dirname(path);
    return above === '.' ? path : join(toReal(root, above), basename(path));
  }
}

/** As an editor or another program of the person does it; what cannot be done is left undone. */
function workOutside(
  { root, outside }: Pick<Observed, 'root' | 'outside'>,
  what: Step[1],
  path: string,
  other: string,
): void {
  const [at, to, fresh] = [join(root, path), join(root, other), join(outside, 'new')];
  attempt(() => {
    if (what === 'write') writeFileSync(at, 'theirs');
    else if (what === 'move') renameSync(at, to);
    else if (what === 'remove') rmSync(at, { recursive: true });
    else if (what === 'make') mkdirSync(at, { recursive: true });
    else if (what === 'link') symlinkSync(other, at);
    else {
      writeFileSync(fresh, 'theirs');
      renameSync(fresh, at);
    }
  });
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Not possible as things are.
  }
}
