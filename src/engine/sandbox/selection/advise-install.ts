import type { Advice } from './advise.ts';
import type { HostFacts, PackageManager } from './host-facts.ts';

/** How a package comes onto this machine. */
export function adviseInstall(name: string, { packageManager, isRoot }: HostFacts): Advice {
  if (packageManager === null)
    return { text: `Install ${name} with what this system installs programs with`, command: null };
  return { text: `Install ${name}`, command: `${isRoot ? '' : 'sudo '}${installers[packageManager]} ${name}` };
}

const installers: Readonly<Record<PackageManager, string>> = {
  apt: 'apt install -y',
  dnf: 'dnf install -y',
  apk: 'apk add',
  pacman: 'pacman -S --noconfirm',
  zypper: 'zypper install -y',
};
