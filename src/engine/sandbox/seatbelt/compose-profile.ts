// The profile by which Seatbelt encloses a command: everything is refused but what stands here. Pure. Of several rules for
// one operation the last that fits decides, so what is hidden comes last.
import { dirname } from 'node:path/posix';
import { quoteText } from './quote-text.ts';
import { devices, machServices, systemFactPrefixes, systemFacts, systemLinks, systemPlaces } from './system-places.ts';

/** Real paths. */
export interface ProfileView {
  /** Beside what the system itself needs: directories and files, with all that lies below. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Inside what is writable, with all that lies below. */
  readonly hidden: readonly string[];
}

export function composeProfile({ readable, writable, hidden }: ProfileView): string {
  const usable = [...systemPlaces, ...readable, ...writable];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    // Neither its own launcher nor anything else of the person is to be seen or signalled.
    '(allow process-info* signal (target same-sandbox))',
    allow('process-exec*', usable.map(toSubpath)),
    allow('file-read* file-map-executable', ['(literal "/")', ...usable.map(toSubpath)]),
    allow('file-read-metadata', [...systemLinks, ...toAncestors(usable)].map(toLiteral)),
    allow('file-write*', writable.map(toSubpath)),
    allow('file-read* file-write-data file-ioctl', devices.map(toLiteral)),
    allow('file-read* file-write-data', ['(subpath "/dev/fd")']),
    allow('sysctl-read', [
      ...systemFacts.map((name) => `(sysctl-name ${quoteText(name)})`),
      ...systemFactPrefixes.map((prefix) => `(sysctl-name-prefix ${quoteText(prefix)})`),
    ]),
    allow(
      'mach-lookup',
      machServices.map((name) => `(global-name ${quoteText(name)})`),
    ),
    // Interpreters keep the locks of their processes in these; nothing outside has one to share.
    '(allow ipc-posix-sem)',
    ...toHidingRules(hidden, writable),
    '',
  ].join('\n');
}

/** A directory on the way to something hidden stays where it is: under another name nothing in it would be hidden. */
function toHidingRules(hidden: readonly string[], writable: readonly string[]): string[] {
  if (hidden.length === 0) return [];
  const pinned = toAncestors(hidden).filter((path) => writable.some((place) => isWithin(path, place)));
  return [
    rule('deny', 'file-read* file-write* file-map-executable process-exec*', hidden.map(toSubpath)),
    // To rename is to unlink from where it was.
    rule('deny', 'file-write-unlink', pinned.map(toLiteral)),
  ];
}

/** Every directory above the paths but the uppermost, shortest first. */
function toAncestors(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let each = dirname(path); each !== '/' && !found.has(each); each = dirname(each)) found.add(each);
  }
  return [...found].sort();
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

const allow = (operations: string, filters: readonly string[]): string => rule('allow', operations, filters);

/** A rule without a filter would be one for everything. */
function rule(effect: 'allow' | 'deny', operations: string, filters: readonly string[]): string {
  return filters.length === 0
    ? ''
    : [`(${effect} ${operations}`, ...filters.map((filter) => `  ${filter}`)].join('\n').concat(')');
}

const toSubpath = (path: string): string => `(subpath ${quoteText(path)})`;
const toLiteral = (path: string): string => `(literal ${quoteText(path)})`;
