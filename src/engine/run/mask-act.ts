// Acts as they may be read by everybody: every text of theirs that came from a call can hold a secret, where it stands for the
// first time as where it stands again.
import type { ResolvedAct } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { DigestSubject } from '../approval/to-digest.ts';

export type Mask = (text: string) => string;

export function maskAct(mask: Mask, act: ResolvedAct): ResolvedAct {
  const target = mask(act.target);
  switch (act.kind) {
    case 'read':
    case 'write':
      return { ...act, target, real: act.real === null ? null : mask(act.real) };
    case 'exec':
      return { ...act, target, program: maskProgram(mask, act.program), opaque: act.opaque && mask(act.opaque) };
    case 'net':
      return { ...act, target };
    default:
      return assertNever(act);
  }
}

function maskProgram(mask: Mask, program: Program): Program {
  if (program === null) return null;
  return { ...program, written: mask(program.written), real: program.real && mask(program.real) };
}

type Program = Extract<ResolvedAct, { kind: 'exec' }>['program'];

/** What is told apart in words has to be masked on both sides, or every secret would look like a difference. */
export function maskSubject(mask: Mask, subject: DigestSubject): DigestSubject {
  return {
    ...subject,
    acts: subject.acts.map((act) => maskAct(mask, act)),
    files: subject.files.map(({ path, hash }) => ({ path: mask(path), hash })),
  };
}
