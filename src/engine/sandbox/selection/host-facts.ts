// Settings of this machine that explain why something cannot be enclosed.
import { existsSync, readFileSync } from 'node:fs';

export interface HostFacts {
  readonly isRoot: boolean;
  readonly isContainer: boolean;
  /** How programs are installed here; null where nobody knows. */
  readonly packageManager: PackageManager | null;
  readonly appArmorRestrictsNamespaces: boolean;
  /** Null where there is no such setting. */
  readonly maxUserNamespaces: number | null;
  readonly permitsUserNamespaces: boolean | null;
}

export type PackageManager = 'apt' | 'dnf' | 'apk' | 'pacman' | 'zypper';

export function readHostFacts(): HostFacts {
  const clone = readNumber('/proc/sys/kernel/unprivileged_userns_clone');
  return {
    isRoot: process.getuid?.() === 0,
    isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    packageManager: toPackageManager(readText('/etc/os-release') ?? ''),
    appArmorRestrictsNamespaces: readNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1,
    maxUserNamespaces: readNumber('/proc/sys/user/max_user_namespaces'),
    permitsUserNamespaces: clone === null ? null : clone === 1,
  };
}

/** From the text of os-release: the system's own name first, then those of the systems it takes after. */
export function toPackageManager(release: string): PackageManager | null {
  const read = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(release)?.[1]?.replace(/["']/g, '') ?? '';
  const names = `${read('ID')} ${read('ID_LIKE')}`.toLowerCase().split(/\s+/);
  return names.map((name) => managers.get(name)).find((manager) => manager !== undefined) ?? null;
}

const managers: ReadonlyMap<string, PackageManager> = new Map([
  ['debian', 'apt'],
  ['ubuntu', 'apt'],
  ['fedora', 'dnf'],
  ['rhel', 'dnf'],
  ['centos', 'dnf'],
  ['alpine', 'apk'],
  ['arch', 'pacman'],
  ['suse', 'zypper'],
  ['opensuse', 'zypper'],
]);

function readNumber(path: string): number | null {
  const text = readText(path)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
