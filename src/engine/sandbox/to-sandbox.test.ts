import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../shared/engine-error.ts';
import type { Backend } from './launch.ts';
import { defaultLimits, type SandboxSpec } from './sandbox.ts';
import { toSandbox } from './to-sandbox.ts';

const spec: SandboxSpec = {
  argv: ['true'],
  directory: { mode: 'ephemeral', files: [], collect: [] },
  environment: {},
  limits: defaultLimits,
};

function run(prepare: Backend['prepare'], signal: AbortSignal = new AbortController().signal) {
  return toSandbox({ isolation: 'bwrap', prepare }).run(spec, signal);
}

describe('a sandbox that cannot make ready', () => {
  it('says what the system refused, and what the engine knows of it', async () => {
    const refused = await run(async () => {
      readFileSync('/nonexistent/file');
      throw new Error('unreachable');
    });
    const known = await run(async () => {
      throw new EngineError('sandbox-unavailable', 'No room.', { remedy: 'Make some.' });
    });
    const failure = { kind: 'not-started', program: 'true', stage: 'unavailable' };
    expect([refused, known]).toEqual([
      {
        ...failure,
        reason: "the system refused what it needs: ENOENT: no such file or directory, open '/nonexistent/file'",
      },
      { ...failure, reason: 'No room.', advice: 'Make some.' },
    ]);
  });

  it('keeps no fault of the engine to itself', async () => {
    await expect(
      run(async () => {
        throw new TypeError('a fault');
      }),
    ).rejects.toThrow('a fault');
  });

  it('is told when nobody wants the command any more, and has failed at nothing then', async () => {
    const stop = new AbortController();
    const result = await run(async (_spec, signal) => {
      stop.abort();
      return { kind: 'not-started', stage: 'directory', reason: signal.aborted ? 'told' : 'not told' };
    }, stop.signal);
    expect(result).toMatchObject({
      kind: 'cancelled',
      isolation: 'bwrap',
      survivors: 0,
      leavings: { kind: 'nothing' },
    });
  });
});
