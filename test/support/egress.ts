// A proxy for commands over the real policy, with servers of this machine behind names of the test's own, and a client that
// says byte by byte what it wants.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgressJudge } from '../../src/engine/guard/create-egress-judge.ts';
import type { EgressAttempt, EgressLimits } from '../../src/engine/net/egress-proxy/egress-proxy.ts';
import { openEgressProxy } from '../../src/engine/net/egress-proxy/open-egress-proxy.ts';
import { composePolicy } from '../../src/engine/policy/compose-policy.ts';
import type { Effect } from '../../src/shared/act.ts';

export interface EgressSetting {
  /** Patterns of the person, by what they do. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly byDefault?: Effect;
  /** Targets that somebody said yes to. */
  readonly approved?: readonly string[];
  /** What names come to, one answer after the other; the last one stays. Every other name is unknown. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly limits?: Partial<EgressLimits>;
}

export interface Egress extends AsyncDisposable {
  readonly socket: string;
  readonly attempts: readonly EgressAttempt[];
  /** Names that were looked up, in their order. */
  readonly resolved: readonly string[];
  connect(): Promise<Socket>;
  /** Everything that comes back, until the proxy ends the connection. */
  say(...pieces: readonly (string | Uint8Array)[]): Promise<string>;
}

export async function openEgress(setting: EgressSetting): Promise<Egress> {
  const directory = mkdtempSync(join(tmpdir(), 'io-studio-egress-'));
  const attempts: EgressAttempt[] = [];
  const resolved: string[] = [];
  const stance = { policy: toPolicy(setting), isTainted: false, isolation: 'bwrap' };
  const proxy = await openEgressProxy({
    directory,
    judge: createEgressJudge(stance, new Set(setting.approved)),
    onAttempt: (attempt) => attempts.push(attempt),
    resolve: async (name) => {
      const answers = setting.names?.[name] ?? [];
      const asked = resolved.filter((each) => each === name).length;
      resolved.push(name);
      const addresses = answers[asked] ?? answers.at(-1);
      if (addresses === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    ...(setting.limits === undefined ? {} : { limits: setting.limits }),
  });
  const open = async (): Promise<Socket> => {
    const client = connect({ path: proxy.socket, allowHalfOpen: true });
    await once(client, 'connect');
    return client;
  };
  return {
    socket: proxy.socket,
    attempts,
    resolved,
    connect: open,
    async say(...pieces) {
      const client = await open();
      for (const piece of pieces) client.write(piece);
      return readToEnd(client);
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What comes until the other side ends; what it cut off ends there. */
export async function readToEnd(client: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  client.on('data', (piece) => pieces.push(piece));
  client.on('error', () => client.destroy());
  await new Promise<void>((resolve) => client.once('end', resolve).once('close', resolve));
  client.destroy();
  return Buffer.concat(pieces).toString('latin1');
}

function toPolicy({ byDefault = 'deny', ...setting }: EgressSetting) {
  const toRules = (effect: Effect) =>
    (setting[effect] ?? []).map((pattern) => ({ act: 'net', effect, pattern }) as const);
  const rules = (['allow', 'ask', 'deny'] as const).flatMap(toRules);
  return composePolicy([
    { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules }], defaults: { net: byDefault } } },
  ]);
}
