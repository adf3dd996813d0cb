// An act of which only kind and target are known, as it most likely was: a path without links, the system's own program.
import type { ActKind, ResolvedAct } from '../../shared/act.ts';

/** For estimates that are shown to people; never for deciding anything. */
export function toLikelyAct(kind: ActKind, target: string): ResolvedAct {
  switch (kind) {
    case 'read':
    case 'write':
      return { kind, target, real: target, letterCase: 'exact', outside: target.startsWith('/') };
    case 'exec':
      return {
        kind,
        target,
        program: { written: target.split(' ')[0] ?? '', real: null, isSystem: true },
        opaque: null,
      };
    case 'net':
      return { kind, target, address: null };
  }
}
