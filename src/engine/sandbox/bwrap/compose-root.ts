// What a command sees of this machine, put together by the launcher below one directory. Bubblewrap could bind each part
// itself, but reads the list of all mounts again for every one.
import { dirname } from 'node:path';
import { proxySocketPath } from '../linux/forwarder-source.ts';
import type { Instruction } from '../linux/launcher.ts';
import type { SystemLayout } from '../linux/system-layout.ts';
import type { Bind } from './bwrap-arguments.ts';

export interface RootPlan {
  /** Where it is put together; nothing is there yet. */
  readonly root: string;
  /** A directory of the stage, for what cannot lie in it. */
  readonly stage: string;
  readonly account: { readonly kind: 'own' | 'dropped'; readonly uid: number; readonly gid: number };
  readonly system: SystemLayout;
  /** Places outside the system's directories. `isPrivate`: its owner alone may enter it. */
  readonly readable: readonly { readonly source: string; readonly target: string; readonly isPrivate: boolean }[];
  /** The socket of the proxy through which the command reaches the network; null where it reaches none. */
  readonly proxySocket: string | null;
}

export interface ComposedRoot {
  /** Before the stage is laid over anything: what lies below it would be out of reach. */
  readonly takes: readonly Instruction[];
  readonly builds: readonly Instruction[];
  /** What bubblewrap has to bind after all, because it mounts something else over where it would lie. */
  readonly binds: readonly Bind[];
}

interface Part {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  /** The map through which it is seen; empty for none. */
  readonly map: string;
}

export function composeRoot(plan: RootPlan): ComposedRoot {
  const { root, stage, account } = plan;
  // The shortest first: one may lie in another.
  const parts = toParts(plan).sort((one, other) => one.target.length - other.target.length);
  const within = parts.filter(({ target }) => !isCovered(target));
  const covered = parts.filter(({ target }) => isCovered(target));
  const attach = ({ name }: Part, path: string): Instruction => ['attach', name, path, 'read'];
  return {
    takes: parts.map(({ name, source, map }) => ['take', name, source, map]),
    builds: [
      ['directory', root, '0755'],
      ...toDirectories(within).map((path): Instruction => ['directory', `${root}${path}`, '0755']),
      ...plan.system.links.map(([path, target]): Instruction => ['link', `${root}${path}`, target]),
      ...within.map((part) => attach(part, `${root}${part.target}`)),
      ['file', `${root}/etc/passwd`, '0444', `sandbox:x:${account.uid}:${account.gid}::/tmp:/bin/sh\n`],
      ['file', `${root}/etc/group`, '0444', `sandbox:x:${account.gid}:\n`],
      ['file', `${root}/etc/hosts`, '0444', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
      ...covered.map((part) => attach(part, `${stage}/${part.name}`)),
    ],
    binds: covered.map(({ name, target }) => ({ source: `${stage}/${name}`, target, access: 'read' })),
  };
}

/** Whether bubblewrap mounts something else over the place afterwards. */
const isCovered = (target: string): boolean => /^\/(?:tmp|dev|proc)\//.test(target);

function toParts({ account, system, readable, proxySocket }: RootPlan): Part[] {
  const own = system.readable.map((path, index) => ({ name: `system-${index}`, source: path, target: path, map: '' }));
  const others = readable.map(({ source, target, isPrivate }, index) => {
    return {
      name: `readable-${index}`,
      source,
      target,
      map: isPrivate && account.kind === 'dropped' ? 'readable' : '',
    };
  });
  // Any user may connect to a socket that they are handed, so it needs no other owner.
  const proxy = { name: 'proxy', source: proxySocket ?? '', target: proxySocketPath, map: '' };
  return [...own, ...others, ...(proxySocket === null ? [] : [proxy])];
}

/** Above the parts, but for what a part itself has. */
function toDirectories(parts: readonly Part[]): string[] {
  const above = new Set(['/etc']);
  for (const { target } of parts) {
    for (let path = dirname(target); path !== '/'; path = dirname(path)) above.add(path);
  }
  const isInPart = (path: string): boolean => parts.some(({ target }) => `${path}/`.startsWith(`${target}/`));
  return [...above].filter((path) => !isInPart(path)).sort((one, other) => one.length - other.length);
}
