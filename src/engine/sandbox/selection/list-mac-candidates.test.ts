import { describe, expect, it } from 'vitest';
import { listMacCandidates } from './list-mac-candidates.ts';

const candidatesWith = (sandboxExec: string | null) => listMacCandidates({ mounts: [], findHelper: () => sandboxExec });

describe('the candidates of macOS', () => {
  it('are Seatbelt alone, by the program of the system that takes a profile', () => {
    expect(candidatesWith('/usr/bin/sandbox-exec')).toMatchObject([
      { id: 'seatbelt', backend: { isolation: 'seatbelt' } },
    ]);
  });

  it('say so where the system has none', () => {
    expect(candidatesWith(null)).toMatchObject([
      { id: 'seatbelt', backend: { kind: 'missing', reason: 'this system has no sandbox-exec' } },
    ]);
  });
});
