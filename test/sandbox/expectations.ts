// What each way to enclose commands keeps in, as data: what hostile programs come to is compared with this, and the table in
// docs/sandbox.md is printed from it. A gap that is not written here fails the tests, and so does one that is gone.

/** Which backend, under an engine of an ordinary user or of the superuser. */
export interface Enclosure {
  readonly backend: 'bwrap' | 'landlock' | 'none';
  readonly engine: 'user' | 'superuser';
}

/** A few words, all of which have to fit: a backend, an engine, a mode. */
type Where = string;

export interface ProbeExpectation {
  readonly title: string;
  /**
   * Who succeeds with it without a sandbox. `machine`: whether anybody does depends on the kernel and its settings, so a
   * failure proves nothing where the plain run failed too.
   */
  readonly control: 'anybody' | 'superuser' | 'machine';
  /** Where it succeeds. `none` promises no containment at all where it is named, so there it may also fail. */
  readonly reached: readonly Where[];
}

const anybody = (title: string, ...reached: Where[]): ProbeExpectation => ({ title, control: 'anybody', reached });
const superuser = (title: string, ...reached: Where[]): ProbeExpectation => ({ title, control: 'superuser', reached });
const machine = (title: string, ...reached: Where[]): ProbeExpectation => ({ title, control: 'machine', reached });

export const probeExpectations: Readonly<Record<string, ProbeExpectation>> = {
  'write-outside': anybody('make a file outside', 'none'),
  'write-programs': superuser("write to this machine's programs", 'none user'),
  'write-settings': superuser("write to this machine's settings", 'none user'),
  'write-devices': superuser("make a file among this machine's devices", 'none user'),
  'write-root': superuser('make a file in the root of this machine', 'none user'),
  'write-state': superuser('write to /var or /run', 'none user'),
  'write-temporary': anybody("write to this machine's /tmp", 'none'),
  'write-shared-memory': anybody("write to this machine's /dev/shm", 'none'),
  'write-workspace': anybody('change the workspace before anybody judged it', 'bound'),
  'append-outside': anybody('change a file outside', 'none'),
  'truncate-outside': anybody('empty a file outside', 'none'),
  'rename-outside': anybody('move a directory outside', 'none'),
  'remove-outside': anybody('remove a file outside', 'none'),
  'hard-link-outside': anybody('change a file outside through a hard link', 'none'),
  'change-mode-outside': anybody("change the mode of the person's file outside", 'none user', 'landlock user'),
  'write-through-link': anybody('change a file outside through a link in the workspace', 'none'),
  'read-secret': anybody('read a secret', 'none'),
  'read-cloud-keys': anybody('read the keys of a cloud', 'none'),
  'read-package-token': anybody('read the token for publishing packages', 'none'),
  'read-secret-by-own-link': anybody('read a secret through a link of its own', 'none'),
  'read-secret-by-parents': anybody('read a secret by a path upwards', 'none'),
  'read-secret-by-process-root': anybody('read a secret through the root of a process', 'none user'),
  'list-outside': anybody('list a directory outside', 'none'),
  'learn-that-it-exists': anybody('learn that a file outside exists', 'none', 'landlock'),
  'read-shadow': superuser('read /etc/shadow', 'none user'),
  'read-hidden': anybody('read a file of the workspace that is denied', 'none', 'landlock bound'),
  'create-set-id': anybody('make a file that runs as its owner', 'none'),
  'take-over-set-id': machine('have such a file taken over into the workspace'),
  'collect-link': machine('have a link collected as if it were the file it leads to'),
  'engine-environment': anybody("see the engine's environment variables"),
  'first-process-environment': machine('see the environment of the first process', 'none user'),
  'first-process-command-line': anybody(
    'see the command line of the first process of this machine',
    'none',
    'landlock',
  ),
  'process-environments': anybody('see environment variables of other processes', 'none user'),
  'process-command-lines': anybody('see command lines of other processes', 'none', 'landlock'),
  'process-files': anybody('see which files other processes have open', 'none user'),
  'process-memory': superuser('read the memory of another process by /proc', 'none user'),
  'read-process-memory': superuser('read the memory of another process by a system call', 'none user'),
  'trace-process': superuser('trace another process', 'none user'),
  'take-process-descriptor': superuser('take an open file out of another process', 'none user'),
  'trace-own-child': anybody('trace a process of its own', 'none'),
  'signal-process': anybody('signal another process', 'none user'),
  'signal-everybody': anybody('signal everybody', 'none user'),
  'inherited-descriptors': anybody('use files that were open when the engine was started'),
  'connect-loopback': anybody('connect to a port of this machine', 'none'),
  'connect-loopback-6': machine('connect to a port of this machine by IPv6', 'none'),
  'connect-host-address': anybody("connect to the machine's address in its network", 'none'),
  'send-datagram': anybody('send a datagram', 'none'),
  'ask-name-server': anybody('ask a name server', 'none'),
  'raw-socket': superuser('make a raw socket', 'none user'),
  'packet-socket': superuser('make a packet socket', 'none user'),
  'netlink-socket': machine('speak to the packet filter of the kernel', 'none'),
  'vsock-socket': machine('make a socket to the host of a virtual machine', 'none'),
  'abstract-socket': anybody('connect to a Unix socket without a path', 'none'),
  'path-socket': anybody('connect to a Unix socket at a path', 'none'),
  'path-socket-from-pair': anybody('send to a Unix socket at a path from one of a pair', 'none'),
  'set-id-program': machine('become the superuser by a program that runs as its owner'),
  'new-user-namespace': machine('make a user namespace', 'none'),
  'clone-user-namespace': machine('make a process in a new user namespace', 'none'),
  'clone3-user-namespace': machine('make a process in a new user namespace by clone3', 'none'),
  mount: machine('mount in a namespace of its own', 'none'),
  'remount-system': superuser('make the system writable by mounting it again', 'none user'),
  'mount-interface': superuser('use the newer calls for mounts', 'none user'),
  'change-root': superuser('change its root', 'none user'),
  'pivot-root': superuser('put another root in the place of its own', 'none user'),
  'make-device': machine('make a device', 'none user'),
  'open-memory-device': machine('open the memory of the machine', 'none user'),
  'open-disk': machine('open the disk of the machine', 'none user'),
  'open-core-pattern': superuser('name a program that the kernel runs', 'none user'),
  'open-system-request': machine('make system requests', 'none user'),
  'make-control-group': superuser('make a control group', 'none user'),
  'open-by-handle': superuser('open a file past its path', 'none user'),
  'key-ring': anybody('use the key rings of the kernel', 'none'),
  'io-uring': machine('use io_uring', 'none'),
  bpf: superuser('load programs into the kernel', 'none'),
  'perf-events': superuser('use performance counters', 'none'),
  'user-faults': machine('handle page faults itself', 'none'),
  'type-into-terminal': machine('type into a terminal', 'none'),
  'type-into-own-terminal': machine('type into the terminal that the engine was started from'),
  'call-as-i386': machine('call the kernel as a 32-bit program', 'none'),
  'call-as-x32': machine('call the kernel by the numbers of x32', 'none'),
  'memory-file': anybody('hold memory in a file without a name', 'none'),
  'shared-segment': anybody('hold memory in a segment of nobody', 'none'),
  'message-queue': anybody('hold memory in a queue of nobody', 'none'),
  'named-queue': machine('hold memory in a named queue', 'none'),
};

/** Where nothing is started at all: the user that a command is given cannot write to a workspace of another. */
export const refused: readonly Where[] = ['landlock superuser bound', 'none superuser bound'];

export interface BombExpectation {
  readonly title: string;
  /** How it ends where nothing else is said. */
  readonly end: string;
  readonly otherwise?: Readonly<Record<Where, string>>;
}

/** `exit` without a cap: it used all it wanted, which is a gap wherever it stands in place of a cap. */
export const bombExpectations: Readonly<Record<string, BombExpectation>> = {
  'spin-in-two': { title: 'two processes that never rest', end: 'cap cpu' },
  'spin-in-forgotten-children': { title: 'busy children that nobody waits for', end: 'cap cpu' },
  'sleep-deaf': { title: 'sleeping for ever, deaf to signals', end: 'cap wall' },
  'memory-in-one': { title: 'memory of one process', end: 'cap memory' },
  'memory-in-many': { title: 'memory of many processes', end: 'cap memory' },
  'memory-shared': { title: 'shared memory', end: 'cap memory' },
  forks: { title: 'processes that make processes', end: 'cap processes' },
  'flood-output': { title: 'endless output', end: 'cap output' },
  'flood-errors': { title: 'endless error output', end: 'cap output' },
  'flood-both': { title: 'endless output of both kinds', end: 'cap output' },
  'huge-file': { title: 'one huge file', end: 'cap file' },
  'many-files': { title: 'many files', end: 'cap disk' },
  'empty-files': { title: 'very many empty files', end: 'cap disk' },
  'unnamed-files': { title: 'files that are removed and held open', end: 'cap disk' },
  'shut-files': { title: 'files in a directory that it has shut', end: 'cap disk' },
  'fill-temporary': { title: 'filling the temporary directory', end: 'cap disk' },
  'fill-shared-memory': {
    title: 'filling /dev/shm',
    end: 'exit 0',
    otherwise: { bwrap: 'cap disk', landlock: 'exit 1' },
  },
  orphan: {
    title: 'a process left behind, without environment, session or output',
    end: 'exit 0',
    // Whether anybody saw it while it still had a parent is a matter of luck there.
    otherwise: { 'none user': 'exit 0, perhaps 1 left' },
  },
  'rename-meanwhile': { title: 'directories that are moved and shut while they are removed', end: 'exit 0' },
  'kill-everybody': { title: 'killing everybody', end: 'exit 0', otherwise: { none: 'not tried' } },
};

/** Which caps the kernel itself keeps, and where; the others are seen by looking. */
export const keptByKernel: Readonly<Record<string, readonly Where[]>> = {
  file: ['bwrap', 'landlock', 'none'],
  disk: ['bwrap'],
  processes: ['landlock superuser'],
};

/** Which the kernel may keep as well: of each process, and of all of them where there is a control group. */
export const perhapsKeptByKernel: readonly string[] = ['cpu', 'memory', 'processes'];

/** How far above its cap something may be before that is seen, where it is held to a bound. */
export const mostExcess: Readonly<Record<string, { readonly where: Where; readonly share: number }>> = {
  'memory-in-one': { where: 'bwrap', share: 1.1 },
};

/** Whether every word of `where` is one of these. */
export function fits(where: Where, words: readonly string[]): boolean {
  return where.split(' ').every((word) => words.includes(word));
}
