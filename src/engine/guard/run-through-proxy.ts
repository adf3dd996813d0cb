// Runs one command with a way to the network that is opened for it alone and is gone when it has ended.
import type { EgressAttempt, JudgeTarget } from '../net/egress-proxy/egress-proxy.ts';
import { createPrivateDirectory } from '../sandbox/private-directory.ts';
import type { Sandbox, SandboxResult, SandboxSpec } from '../sandbox/sandbox.ts';

export interface ProxiedRun {
  readonly result: SandboxResult;
  /** Hosts that it did not get to, and why; the first of them. */
  readonly unreached: readonly string[];
}

export interface ProxyOptions {
  readonly sandbox: Sandbox;
  readonly judge: JudgeTarget;
  readonly onAttempt: (attempt: EgressAttempt) => void;
}

/** `onAttempt` has heard of every attempt when it settles. */
export async function runThroughProxy(
  spec: SandboxSpec,
  { sandbox, judge, onAttempt }: ProxyOptions,
  signal: AbortSignal,
): Promise<ProxiedRun> {
  const unreached = new Set<string>();
  // With the first such command: what only a few runs need, of Node's too, would cost every start a twentieth of a second.
  const { openEgressProxy } = await import('../net/egress-proxy/open-egress-proxy.ts');
  await using directory = await createPrivateDirectory();
  await using proxy = await openEgressProxy({
    directory: directory.path,
    judge,
    onAttempt(attempt) {
      const { target, because } = attempt;
      if (because !== null && unreached.size < maxTold) unreached.add(`${target}: ${because}`);
      onAttempt(attempt);
    },
  });
  const result = await sandbox.run({ ...spec, network: { kind: 'proxy', socket: proxy.socket } }, signal);
  await proxy[Symbol.asyncDispose]();
  return { result, unreached: [...unreached] };
}

const maxTold = 20;
