// What of this machine a command needs in order to run programs at all, and may read because everybody may. Never /etc as a
// whole, never /var, /run, /sys or a home.
import { lstatSync, readlinkSync, statSync } from 'node:fs';

export interface SystemLayout {
  /** Links at the root such as /bin, and where they lead. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Real directories and files of the system that may be read by everybody. */
  readonly readable: readonly string[];
}

const programDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const settings = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/ssl',
  '/etc/ca-certificates',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/mime.types',
];

/** Looked up once for each process: nothing of it moves while a system runs. */
export function readSystemLayout(): SystemLayout {
  layout ??= {
    links: programDirectories.filter(isLink).map((path) => [path, readlinkSync(path)]),
    readable: ['/usr', ...programDirectories.filter(isDirectory), ...settings].filter(exists),
  };
  return layout;
}

let layout: SystemLayout | undefined;

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
const isDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
