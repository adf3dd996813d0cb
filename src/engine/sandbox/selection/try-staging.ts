// Whether a backend can give a command a workspace of its own, and how: what the command sees mounted there tells it.
import type { Backend } from '../launch.ts';
import type { SandboxResult } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import type { Bait } from './bait.ts';
import type { HostFacts } from './host-facts.ts';
import type { Staging } from './sandbox-probe.ts';
import { toFailure, trialLimits } from './try-enclosure.ts';

export async function tryStaging(backend: Backend, { workspace }: Bait, facts: HostFacts): Promise<Staging> {
  const spec = {
    argv: ['sh', '-c', makeAndLook] as const,
    directory: { mode: 'staged', workspace, hidden: [] } as const,
    environment: {},
    limits: trialLimits,
  };
  const result = await toSandbox(backend).run(spec, new AbortController().signal);
  if (result.kind !== 'exit' || result.code !== 0) {
    const { reason, advice } = toFailure(result, facts);
    return { kind: 'none', reason, advice };
  }
  if (!isJustMade(result))
    return { kind: 'none', reason: 'what a trial command wrote did not come back', advice: null };
  return { kind: / - overlay /.test(result.stdout.text) ? 'overlay' : 'copy' };
}

/** Prints what is mounted on the very directory it works in. */
const makeAndLook = `: > made || exit 1
while read -r id parent device root place rest; do
  if [ "$place" = "$PWD" ]; then echo "$rest"; fi
done 2>/dev/null < /proc/self/mountinfo
:`;

function isJustMade({ leavings }: Extract<SandboxResult, { kind: 'exit' }>): boolean {
  if (leavings.kind !== 'changes' || leavings.lost.length > 0) return false;
  const [change, ...others] = leavings.changes;
  return others.length === 0 && change?.path === 'made' && change.before === null && change.after?.kind === 'file';
}
