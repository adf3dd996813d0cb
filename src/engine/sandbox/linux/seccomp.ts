// The system call filter of enclosed commands. It takes away what reaches other processes, what opens further namespaces or
// rarely used parts of the kernel, memory that cannot be counted, and sockets that lead out. Everything else is let through.
import { answer, type BpfInstruction, encodeBpf, ifAnyBit, ifAtLeast, ifEqual, keepBits, loadWord } from './bpf.ts';
import { type SyscallArchitecture, type SyscallName, syscallNumbers } from './syscall-numbers.ts';

export interface SeccompSettings {
  /** Whether addressed sockets of this machine may be made. Only where file system and network are the command's own. */
  readonly unixSockets: boolean;
  readonly inetSockets: boolean;
}

/** The filter as bytes for the kernel. */
export function composeSeccomp(architecture: SyscallArchitecture, settings: SeccompSettings): Uint8Array {
  return encodeBpf([
    ...refuseForeignCalls(architecture),
    ...notPermitted.flatMap((name) => onCall(architecture, name, [answer(answers.notPermitted)])),
    ...notImplemented.flatMap((name) => onCall(architecture, name, [answer(answers.notImplemented)])),
    ...onCall(architecture, 'clone', refuseBits(argument(0), namespaceFlags)),
    ...onCall(architecture, 'ioctl', refuseValues(argument(1), inputInjections)),
    ...onCall(architecture, 'socket', refuseSockets(settings)),
    ...onCall(architecture, 'socketpair', refuseSocketPairs(settings)),
    ...modeOperands.flatMap(([name, index]) => onCall(architecture, name, refuseBits(argument(index), setIdBits))),
    ...onCall(architecture, 'open', refuseSetIdCreation(1)),
    ...onCall(architecture, 'openat', refuseSetIdCreation(2)),
    answer(answers.allow),
  ]);
}

/** What a filter answers: end the process with SIGSYS, let the call through, or fail it with this error number. */
const answers = { kill: 0x80000000, allow: 0x7fff0000, notPermitted: 0x00050000 | 1, notImplemented: 0x00050000 | 38 };

const audited = { x64: 0xc000003e, arm64: 0xc00000b7 };

const notPermitted: readonly SyscallName[] = [
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd'] as const),
  ...(['unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree'] as const),
  ...(['open_tree_attr', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'open_by_handle_at'] as const),
  ...(['add_key', 'request_key', 'keyctl', 'bpf', 'perf_event_open', 'userfaultfd'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'fanotify_init', 'syslog'] as const),
  ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
  ...(['swapon', 'swapoff', 'reboot', 'acct', 'quotactl', 'quotactl_fd', 'iopl', 'ioperm', 'modify_ldt'] as const),
  'memfd_secret',
];

/**
 * Programs fall back to an older way where a call does not exist: from clone3 and openat2, whose operands lie in memory that
 * a filter cannot see, to calls that are judged; from shared memory that belongs to nobody to files and mappings.
 */
const notImplemented: readonly SyscallName[] = [
  ...(['clone3', 'openat2', 'memfd_create', 'shmget', 'msgget', 'semget', 'mq_open'] as const),
];

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const namespaceFlags = 0x7e020000;

/** TIOCSTI and TIOCLINUX type into the terminal of whoever started this. */
const inputInjections = [0x5412, 0x541c];

/** S_ISUID and S_ISGID: a file that makes others run as its owner must not come to lie where others can run it. */
const setIdBits = 0o6000;

const modeOperands: readonly (readonly [SyscallName, number])[] = [
  ['chmod', 1],
  ['fchmod', 1],
  ['fchmodat', 2],
  ['fchmodat2', 2],
  ['creat', 1],
  ['mknod', 1],
  ['mknodat', 2],
];

/** O_CREAT and the bit of O_TMPFILE: only with them is there a mode. */
const creationFlags = 0x40 | 0x400000;

const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
const connectedSocketTypes = { stream: 1, sequential: 5 };

/** Calls by another table of numbers (32-bit programs, x32) would pass every comparison that follows. */
function refuseForeignCalls(architecture: SyscallArchitecture): BpfInstruction[] {
  const checked = [loadWord(4), ifEqual(audited[architecture], 1, 0), answer(answers.kill), loadWord(0)];
  return architecture === 'arm64' ? checked : [...checked, ifAtLeast(0x40000000, 0, 1), answer(answers.kill)];
}

/** `body` answers on every path: what it loads is not what the next comparison needs. */
function onCall(
  architecture: SyscallArchitecture,
  name: SyscallName,
  body: readonly BpfInstruction[],
): BpfInstruction[] {
  const number = syscallNumbers[name][architecture];
  return number === null ? [] : [ifEqual(number, 0, body.length), ...body];
}

/** The lower half of an operand, which is all of a flag, a mode or a request: the kernel reads no more of them. */
const argument = (index: number): number => 16 + 8 * index;

function refuseBits(offset: number, mask: number): BpfInstruction[] {
  return [loadWord(offset), ifAnyBit(mask, 0, 1), answer(answers.notPermitted), answer(answers.allow)];
}

function refuseValues(offset: number, values: readonly number[]): BpfInstruction[] {
  return [loadWord(offset), ...oneOf(values, answers.notPermitted, answers.allow)];
}

/** Of netlink only the protocol that lists the network interfaces, which many programs do. */
function refuseSockets({ unixSockets, inetSockets }: SeccompSettings): BpfInstruction[] {
  const families = [...(unixSockets ? [family.unix] : []), ...(inetSockets ? [family.inet, family.inet6] : [])];
  return [
    loadWord(argument(0)),
    ifEqual(family.netlink, 0, 4),
    loadWord(argument(2)),
    ...oneOf([0], answers.allow, answers.notPermitted),
    ...oneOf(families, answers.allow, answers.notPermitted),
  ];
}

/** A datagram socket of a pair can be given another address later, so it leads out like any other. */
function refuseSocketPairs({ unixSockets }: SeccompSettings): BpfInstruction[] {
  const types = Object.values(connectedSocketTypes);
  return [
    loadWord(argument(0)),
    ifEqual(family.unix, 1, 0),
    answer(answers.notPermitted),
    ...(unixSockets
      ? [answer(answers.allow)]
      : [loadWord(argument(1)), keepBits(0xf), ...oneOf(types, answers.allow, answers.notPermitted)]),
  ];
}

function refuseSetIdCreation(flagsIndex: number): BpfInstruction[] {
  return [
    loadWord(argument(flagsIndex)),
    ifAnyBit(creationFlags, 1, 0),
    answer(answers.allow),
    ...refuseBits(argument(flagsIndex + 1), setIdBits),
  ];
}

/** Answers by whether the word that was loaded is one of these. */
function oneOf(values: readonly number[], yes: number, no: number): BpfInstruction[] {
  const comparisons = values.map((value, index) => ifEqual(value, values.length - index, 0));
  return [...comparisons, answer(no), answer(yes)];
}
