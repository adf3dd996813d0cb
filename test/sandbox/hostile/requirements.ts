// What a sandbox is held to, numbered, each with what proves it: forty cases of programs that mean harm, and the parts of the
// last of them. A gate compares this with what there is.

/** A test elsewhere, by words of its title. */
export interface Citation {
  readonly file: string;
  readonly title: string;
}

export interface Requirement {
  readonly number: number;
  readonly title: string;
  /** Names of hostile programs, in the terms of the expectations. */
  readonly programs: readonly string[];
  readonly tests?: readonly Citation[];
}

export interface AcceptanceCase extends Requirement {
  /** What its probes are told under bubblewrap: the error of the system, or why there was nothing to be had. */
  readonly answers: readonly string[];
}

const removal = 'src/engine/sandbox/remove-tree.test.ts';
const sweep = 'src/engine/sandbox/leftovers/sweep-leftovers.test.ts';
const filter = 'src/engine/sandbox/linux/seccomp.test.ts';
const allowList = 'test/sandbox/allow-list.test.ts';
const absent = ['ENOENT'];
const refused = ['EPERM'];
const capped: readonly string[] = [];

export const acceptanceCases: readonly AcceptanceCase[] = [
  {
    number: 1,
    title: 'writing outside the directory it works in',
    answers: [...absent, 'only its own', 'there is no link'],
    programs: [
      'write-outside',
      'append-outside',
      'truncate-outside',
      'rename-outside',
      'remove-outside',
      'change-mode-outside',
      'write-through-link',
      'write-temporary',
    ],
  },
  {
    number: 2,
    title: 'writing to the places of the system',
    answers: [...absent, 'EROFS'],
    programs: ['write-programs', 'write-settings', 'write-devices', 'write-root', 'write-state'],
  },
  {
    number: 3,
    title: 'reading keys and tokens of the person',
    answers: absent,
    programs: [
      'read-secret',
      'read-cloud-keys',
      'read-package-token',
      'read-secret-by-own-link',
      'read-secret-by-parents',
      'list-outside',
      'learn-that-it-exists',
    ],
  },
  { number: 4, title: 'reading the passwords of the system', answers: absent, programs: ['read-shadow'] },
  {
    number: 5,
    title: 'leaving a link to a secret for the engine to collect',
    answers: ['left out'],
    programs: ['collect-link'],
    tests: [
      {
        file: 'src/engine/sandbox/floor/floor-backend.test.ts',
        title: 'gives back those regular ones that are asked for',
      },
    ],
  },
  { number: 6, title: 'a hard link to a file outside', answers: absent, programs: ['hard-link-outside'] },
  {
    number: 7,
    title: 'moving parts of the directory while it is removed',
    answers: capped,
    programs: ['rename-meanwhile'],
    tests: [{ file: removal, title: 'never leaves it while a survivor swaps directories for links' }],
  },
  {
    number: 8,
    title: 'looking at the first process: its root, its environment, its command line',
    answers: [...absent, 'it is empty', 'it tells nothing of the machine'],
    programs: ['read-secret-by-process-root', 'first-process-environment', 'first-process-command-line'],
  },
  {
    number: 9,
    title: 'finding what the environment of the engine holds',
    answers: ['it is not there', 'it is in none'],
    programs: ['engine-environment', 'process-environments'],
  },
  {
    number: 10,
    title: 'using an open file that nobody gave it',
    answers: ['none'],
    programs: ['inherited-descriptors'],
    tests: [
      {
        file: 'src/engine/sandbox/floor/floor-backend.test.ts',
        title: 'has no file open that its engine was started with',
      },
    ],
  },
  {
    number: 11,
    title: 'listing processes that are not its own',
    answers: [...absent, 'it is in none'],
    programs: ['process-command-lines', 'process-files'],
  },
  {
    number: 12,
    title: 'signalling another process, and signalling everybody',
    answers: ['ESRCH', 'only its own'],
    programs: ['signal-process', 'signal-everybody', 'kill-everybody'],
  },
  {
    number: 13,
    title: 'getting into another process',
    answers: [...absent, ...refused, 'ESRCH'],
    programs: ['trace-process', 'read-process-memory', 'process-memory', 'take-process-descriptor'],
  },
  {
    number: 14,
    title: 'connecting to a port of this machine',
    answers: ['ECONNREFUSED'],
    programs: ['connect-loopback', 'connect-loopback-6'],
  },
  {
    number: 15,
    title: 'reaching the network around this machine, its names too',
    answers: ['ENETUNREACH'],
    programs: ['connect-host-address', 'send-datagram', 'ask-name-server'],
    tests: [{ file: 'test/sandbox/network.test.ts', title: 'has no network, and is told of none' }],
  },
  {
    number: 16,
    title: 'sockets beside those of the usual protocols',
    answers: refused,
    programs: ['raw-socket', 'packet-socket', 'vsock-socket', 'netlink-socket'],
    tests: [{ file: filter, title: 'refuses what reaches other processes, namespaces, mounts' }],
  },
  { number: 17, title: 'a socket without a path', answers: ['ECONNREFUSED'], programs: ['abstract-socket'] },
  {
    number: 18,
    title: 'a socket at a path, as those of agents and daemons',
    answers: absent,
    programs: ['path-socket', 'path-socket-from-pair'],
  },
  {
    number: 19,
    title: 'a program that runs as its owner',
    answers: [...absent, ...refused, 'there is none'],
    programs: ['set-id-program'],
    tests: [{ file: 'src/engine/sandbox/floor/floor-backend.test.ts', title: 'gains no rights from what it starts' }],
  },
  {
    number: 20,
    title: 'making a file that runs as its owner, and having it taken over',
    answers: [...refused, 'stripped'],
    programs: ['create-set-id', 'take-over-set-id'],
    tests: [
      {
        file: 'src/engine/sandbox/staged/read-overlay-changes.test.ts',
        title: 'never hold set-uid, set-gid or sticky bits',
      },
    ],
  },
  {
    number: 21,
    title: 'a user namespace by each of the calls that make one',
    answers: [...refused, 'ENOSYS'],
    programs: ['new-user-namespace', 'clone-user-namespace', 'clone3-user-namespace'],
  },
  {
    number: 22,
    title: 'mounting, by the older calls and the newer, and another root',
    answers: refused,
    programs: ['mount', 'remount-system', 'mount-interface', 'change-root', 'pivot-root'],
  },
  {
    number: 23,
    title: 'devices: making one, the memory, the disk',
    answers: [...absent, ...refused],
    programs: ['make-device', 'open-memory-device', 'open-disk'],
  },
  {
    number: 24,
    title: 'naming a program that the kernel runs, and its system requests',
    answers: [...absent, 'EACCES'],
    programs: ['open-core-pattern', 'open-system-request'],
  },
  {
    number: 25,
    title: 'parts of the kernel that few programs need',
    answers: refused,
    programs: ['key-ring', 'bpf', 'io-uring', 'perf-events', 'user-faults'],
  },
  {
    number: 26,
    title: 'calling the kernel in the ways of another architecture',
    answers: ['SIGSYS'],
    programs: ['call-as-i386', 'call-as-x32'],
    tests: [{ file: filter, title: 'ends a program of another architecture with a signal' }],
  },
  {
    number: 27,
    title: "typing into a terminal: one of its own, and the engine's",
    answers: [...refused, 'ENXIO'],
    programs: ['type-into-terminal', 'type-into-own-terminal'],
    tests: [{ file: filter, title: 'refuses to type into a terminal' }],
  },
  { number: 28, title: 'two processes that never rest', answers: capped, programs: ['spin-in-two'] },
  {
    number: 29,
    title: 'busy children that nobody waits for',
    answers: capped,
    programs: ['spin-in-forgotten-children'],
  },
  { number: 30, title: 'sleeping for ever, deaf to signals', answers: capped, programs: ['sleep-deaf'] },
  { number: 31, title: 'memory of one process', answers: capped, programs: ['memory-in-one'] },
  { number: 32, title: 'memory of many processes', answers: capped, programs: ['memory-in-many'] },
  {
    number: 33,
    title: 'memory that is counted as nobody’s',
    answers: ['ENOSYS'],
    programs: ['memory-shared', 'memory-file', 'shared-segment', 'message-queue', 'named-queue'],
  },
  { number: 34, title: 'processes that make processes', answers: capped, programs: ['forks'] },
  {
    number: 35,
    title: 'endless output, of each kind and of both',
    answers: capped,
    programs: ['flood-output', 'flood-errors', 'flood-both'],
  },
  {
    number: 36,
    title: 'one huge file, many files, files without content',
    answers: capped,
    programs: ['huge-file', 'many-files', 'empty-files', 'unnamed-files', 'shut-files'],
  },
  {
    number: 37,
    title: 'filling /tmp and /dev/shm',
    answers: ['only its own'],
    programs: ['fill-temporary', 'fill-shared-memory', 'write-shared-memory'],
  },
  { number: 38, title: 'a process left behind in a session of its own', answers: capped, programs: ['orphan'] },
  {
    number: 39,
    title: 'the engine is killed while a command runs',
    answers: capped,
    programs: [],
    tests: [
      {
        file: 'test/sandbox/hostile/hostile.test.ts',
        title: 'nothing of a command is left when its engine was killed, nor of its directories',
      },
      { file: sweep, title: 'is ended and removed, children that left their group and their parents too' },
    ],
  },
  {
    number: 40,
    title: 'going where no rule allows while a proxy is there',
    answers: capped,
    programs: [],
    tests: [{ file: allowList, title: 'is held to its list: %i, %s' }],
  },
];

/** Case 40, part by part: each is a row of one test in the real sandbox, by its title. */
export const allowListCases: readonly string[] = [
  'an allowed host by http',
  'an allowed host through a tunnel',
  'another host',
  'another port',
  'an address by number',
  'a name that leads to the keys of a cloud',
  'a name that leads here as well',
  'a name that leads to a mapped address',
  'a name that leads elsewhere the next time',
  'an address in other ways of writing',
  'an address beside the proxy',
  'a name beside the proxy',
];

/** Tried as well, though no case asks for it. */
export const extraPrograms: readonly string[] = ['write-workspace', 'read-hidden'];
