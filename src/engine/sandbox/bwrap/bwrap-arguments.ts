// The command line of bubblewrap: which namespaces a command gets and what it sees of this machine. Order is meaning here:
// a size or mode belongs to the next mount only, and a later mount lies over an earlier one.
/** Something of this machine at a place inside. */
export interface Bind {
  readonly source: string;
  readonly target: string;
  readonly access: 'read' | 'write';
}

export interface BwrapPlan {
  /** Who the command is, inside and outside. */
  readonly uid: number;
  readonly gid: number;
  /** The whole environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it sees of this machine, which may be added to: the command cannot. */
  readonly root: string;
  /** In the order in which they are to be mounted. */
  readonly binds: readonly Bind[];
  /** Of each of /tmp and /dev/shm. */
  readonly temporaryBytes: number;
  /** Where the command starts. */
  readonly directory: string;
  /** Descriptors of bubblewrap: the system call filter, and where it says what became of the command. */
  readonly filterDescriptor: number;
  readonly statusDescriptor: number;
}

export function composeBwrapArguments(plan: BwrapPlan): string[] {
  const bytes = String(plan.temporaryBytes);
  return [
    ...enclosure,
    ...['--uid', String(plan.uid), '--gid', String(plan.gid)],
    ...Object.entries(plan.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--bind', plan.root, '/', '--proc', '/proc', '--dev', '/dev'],
    ...['--size', bytes, '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...['--remount-ro', '/dev', '--size', bytes, '--perms', '1777', '--tmpfs', '/tmp'],
    // After /tmp, or what lies below it would be hidden.
    ...plan.binds.flatMap(({ source, target, access }) => [access === 'read' ? '--ro-bind' : '--bind', source, target]),
    ...['--remount-ro', '/', '--chdir', plan.directory],
    ...['--seccomp', String(plan.filterDescriptor), '--json-status-fd', String(plan.statusDescriptor)],
  ];
}

const enclosure = [
  '--unshare-all',
  '--unshare-user',
  '--disable-userns',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--hostname',
  'sandbox',
  '--clearenv',
];
