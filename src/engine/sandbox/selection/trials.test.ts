import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { createFloorBackend } from '../floor/floor-backend.ts';
import type { Backend } from '../launch.ts';
import { defaultLimits } from '../sandbox.ts';
import { layBait } from './bait.ts';
import type { Candidate } from './candidate.ts';
import { listCandidates } from './list-candidates.ts';
import { createTrials } from './trials.ts';

const isLinux = process.platform === 'linux';
const candidates = listCandidates({ mounts: [] });

const asCandidate = (backend: Backend): Candidate => ({ id: backend.isolation, backend, version: () => null });
const attempt = (candidate: Candidate) => createTrials([candidate]).attempt(candidate);

describe('trying a backend', () => {
  it.runIf(isLinux && findHostHelper('perl') !== null)(
    'unmasks one that claims to enclose and does not (needs Linux, perl)',
    async () => {
      const floor = createFloorBackend();
      for (const isolation of ['bwrap', 'landlock'] as const) {
        expect(await attempt(asCandidate({ ...floor, isolation }))).toEqual({
          kind: 'fails',
          reason: 'a command can read files outside its directory',
          advice: null,
        });
      }
    },
  );

  it('takes the floor for what it is: a place where commands run', async () => {
    expect(await attempt(asCandidate(createFloorBackend()))).toMatchObject({ kind: 'works' });
  });

  it('gives the reason of a launch that never came about, and what a person can do', async () => {
    const refuse = (advice?: string) =>
      asCandidate({
        isolation: 'bwrap',
        prepare: async () => ({
          kind: 'not-started',
          stage: 'launcher',
          reason: 'unshare-user: No space left on device',
          ...(advice === undefined ? {} : { advice }),
        }),
      });
    expect([await attempt(refuse()), await attempt(refuse('Wait.'))]).toMatchObject([
      { kind: 'fails', advice: { command: expect.stringContaining('max_user_namespaces') } },
      { kind: 'fails', advice: { text: 'Wait.', command: null } },
    ]);
  });

  it('survives a backend that throws', async () => {
    const prepare = () => Promise.reject(new Error('no descriptors left'));
    expect(await attempt(asCandidate({ isolation: 'bwrap', prepare }))).toEqual({
      kind: 'fails',
      reason: 'no descriptors left',
      advice: null,
    });
  });

  it('is done once, however often and at the same time it is asked for', async () => {
    let prepared = 0;
    const backend: Backend = {
      isolation: 'bwrap',
      prepare: async () => {
        prepared += 1;
        return { kind: 'not-started', stage: 'launcher', reason: 'no' };
      },
    };
    const candidate = asCandidate(backend);
    const trials = createTrials([candidate]);
    await Promise.all([trials.attempt(candidate), trials.attempt(candidate), trials.examine(candidate)]);
    await trials.attempt(candidate);
    // A failure counts only when it comes twice in a row.
    expect(prepared).toBe(2);
  });

  it('leaves nothing behind', async () => {
    const own = realpathSync(await mkdtemp(join(tmpdir(), 'trials-')));
    await chmod(own, 0o711);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = own;
    try {
      await using bait = await layBait();
      const [candidate = asCandidate(createFloorBackend())] = candidates;
      await createTrials([candidate]).examine(candidate);
      const left = readdirSync(dirname(dirname(bait.file)));
      expect(left).toEqual([basename(dirname(bait.file))]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(own, { recursive: true });
    }
  });
});

describe('the candidates of this system', () => {
  it.runIf(isLinux)('stand from the strongest to the weakest (needs Linux)', () => {
    expect(candidates.map(({ id }) => id)).toEqual(['bwrap', 'landlock', 'none']);
  });

  it.runIf(isLinux)('say which program is missing, without which they cannot be tried (needs Linux)', async () => {
    const without = (...names: string[]) =>
      listCandidates({ mounts: [], findHelper: (name) => (names.includes(name) ? null : `/usr/bin/${name}`) });
    const reasons = [['bwrap'], ['perl', 'bwrap'], ['perl']].map((names) =>
      without(...names).flatMap(({ backend }) => ('kind' in backend ? [backend.reason] : [])),
    );
    expect(reasons).toEqual([
      ['bubblewrap is not installed'],
      ['bubblewrap and perl are not installed', 'perl is not installed'],
      ['perl is not installed', 'perl is not installed'],
    ]);
    const [bwrap] = without('bwrap');
    expect(bwrap === undefined ? null : await attempt(bwrap)).toMatchObject({
      kind: 'fails',
      advice: { text: 'Install bubblewrap' },
    });
  });

  it.runIf(isLinux)('start their launchers in an empty environment (needs Linux)', async () => {
    const directory = { mode: 'ephemeral', files: [], collect: [] } as const;
    const spec = { argv: ['true'] as const, directory, environment: { GIVEN: '1' }, limits: defaultLimits };
    for (const { id, backend } of candidates) {
      if ('kind' in backend || id === 'none') continue;
      const launch = await backend.prepare(spec, new AbortController().signal);
      if (launch.kind === 'not-started') continue;
      await using owned = launch;
      const child = await owned.start('none');
      if (child.kind === 'failed') throw new Error(child.reason);
      expect([id, readFileSync(`/proc/${child.pid}/environ`, 'utf8')]).toEqual([id, '']);
      child.release();
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    }
  });
});
