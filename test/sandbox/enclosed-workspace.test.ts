// A workspace in the real sandbox, where paths that must not be seen have moved or gone meanwhile, and where what a command
// is told is more than the system takes.
import { chmodSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPrivateBase } from '../../src/engine/sandbox/ownership/private-base.ts';
import { defaultLimits, type SandboxDirectory, type SandboxSpec } from '../../src/engine/sandbox/sandbox.ts';
import { createSandbox } from '../../src/engine/sandbox/select-sandbox.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const sandbox = createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts: [] })) });
const isEnclosed = (await sandbox.ready()) === 'bwrap';
const list = 'find . | sort | tr "\\n" " "';
const empty = { mode: 'ephemeral', files: [], collect: [] } as const;

function run(argv: SandboxSpec['argv'], directory: SandboxDirectory, limits: Partial<SandboxSpec['limits']> = {}) {
  const spec = { argv, directory, environment: {}, limits: { ...defaultLimits, wallMs: 30_000, ...limits } };
  return sandbox.run(spec, new AbortController().signal);
}

describe.skipIf(!isEnclosed)('a workspace that is enclosed (needs bubblewrap)', () => {
  it.each([
    ['gone with its directory', ['gone/secret'], '. ./d ./d/e ./d/e/f ./file ./link '],
    ['below a link by now', ['link/e'], '. ./d ./d/e ./d/e/f ./file ./link '],
    ['below a file by now', ['file/secret'], '. ./d ./d/e ./d/e/f ./file ./link '],
    ['in another hidden one', ['d/e', 'd', 'd/e/f'], '. ./file ./link '],
    ['named twice', ['file', 'file'], '. ./d ./d/e ./d/e/f ./link '],
  ])('hides what is %s, and no change comes of it', async (_what, hidden, seen) => {
    using workspace = createTemporaryDirectory();
    workspace.write('d/e/f', '');
    workspace.write('file', '');
    symlinkSync('d', `${workspace.path}/link`);
    for (const mode of ['staged', 'bound'] as const) {
      const result = await run(['sh', '-c', list], { mode, workspace: workspace.path, hidden });
      expect(result).toMatchObject({ kind: 'exit', code: 0 });
      if (result.kind !== 'exit' || mode === 'bound') continue;
      expect([result.stdout.text, result.leavings]).toEqual([seen, { kind: 'changes', changes: [], lost: [] }]);
    }
  });

  it('shows nothing of what the engine keeps for other commands', async () => {
    const base = openPrivateBase();
    const look = ['sh', '-c', 'ls "$0" 2>/dev/null || echo none', base] as const;
    for (const mode of ['staged', 'bound'] as const) {
      const result = await run(look, { mode, workspace: dirname(base), hidden: [] });
      expect(result).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'none\n' } });
    }
  });

  it('tells what is too much for the system from a command that failed', async () => {
    const file = { path: 'large', bytes: Buffer.alloc(2_000_000), mode: 0o644 } as const;
    const results = [
      await run(['true', 'x'.repeat(200_000)], empty),
      await run(['true'], { ...empty, files: [file] }, { diskBytes: 1_000_000 }),
    ];
    expect(results.map((result) => (result.kind === 'not-started' ? result.reason : result.kind))).toEqual([
      expect.stringMatching(/: start: .*: Argument list too long$/),
      expect.stringMatching(/^the system refused what it needs: ENOSPC/),
    ]);
  });

  it('runs its programs by whatever path leads to it, and says so of those that nobody inside can see', async () => {
    using place = createTemporaryDirectory();
    const workspace = place.make('real');
    symlinkSync('real', `${place.path}/link`);
    const write = (name: string, content: string): string => {
      const path = place.write(name, content);
      chmodSync(path, 0o755);
      return path;
    };
    const outside = write('outside', '#!/bin/sh\n');
    write('real/program', '#!/bin/sh\necho ran\n');
    write('real/foreign', `#!${outside}\n`);
    const tell = async (program: string, directory: string, hidden: string[] = []): Promise<string> => {
      const result = await run([program], { mode: 'staged', workspace: directory, hidden });
      if (result.kind === 'not-started') return result.reason;
      return result.kind === 'exit' ? result.stdout.text : result.kind;
    };
    const link = `${place.path}/link`;
    expect([
      await tell('./program', link),
      await tell(`${link}/program`, link),
      await tell(`${workspace}/program`, link),
      await tell('./program', workspace, ['program']),
      await tell('./foreign', workspace),
    ]).toEqual([
      'ran\n',
      'ran\n',
      'ran\n',
      'it lies where no command can see it',
      `its interpreter ${outside} is missing`,
    ]);
  });

  it('takes an argument of 64 KB', async () => {
    const result = await run(['sh', '-c', 'printf %s "$1" | wc -c', 'sh', 'x'.repeat(65_536)], empty);
    expect(result).toMatchObject({ kind: 'exit', code: 0, stdout: { text: '65536\n' } });
  });
});
