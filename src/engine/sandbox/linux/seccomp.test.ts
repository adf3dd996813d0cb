import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpretBpf } from '../../../../test/support/interpret-bpf.ts';
import { composeSeccomp, type SeccompSettings } from './seccomp.ts';
import { type SyscallArchitecture, type SyscallName, syscallNumbers } from './syscall-numbers.ts';

const audited = { x64: 0xc000003e, arm64: 0xc00000b7 };
const foreign = { i386: 0x40000003, arm: 0x40000028 };
const words = new Map([
  [0x7fff0000, 'allow'],
  [0x80000000, 'kill'],
  [0x00050001, 'not permitted'],
  [0x00050026, 'not implemented'],
]);
const alone: SeccompSettings = { unixSockets: true, inetSockets: true };
const shared: SeccompSettings = { unixSockets: false, inetSockets: false };
const architectures = ['x64', 'arm64'] as const;

function ask(
  architecture: SyscallArchitecture,
  name: SyscallName | number,
  operands: readonly (number | bigint)[] = [],
  settings = shared,
): string {
  const number = typeof name === 'number' ? name : syscallNumbers[name][architecture];
  if (number === null) return 'no such call';
  const call = { architecture: audited[architecture], number, operands: operands.map(BigInt) };
  return words.get(interpretBpf(composeSeccomp(architecture, settings), call)) ?? 'unknown';
}

describe.each(architectures)('the system call filter of %s', (architecture) => {
  it('refuses what reaches other processes, namespaces, mounts and rarely used parts of the kernel', () => {
    const judgedByOperands = ['clone', 'ioctl', 'socket', 'socketpair', 'open', 'openat', 'creat', 'mknod', 'mknodat'];
    judgedByOperands.push('chmod', 'fchmod', 'fchmodat', 'fchmodat2');
    const missing = ['clone3', 'openat2', 'memfd_create', 'shmget', 'msgget', 'semget', 'mq_open'];
    const expected: Record<string, string> = {};
    const answered: Record<string, string> = {};
    for (const name of names()) {
      if (judgedByOperands.includes(name) || syscallNumbers[name][architecture] === null) continue;
      expected[name] = missing.includes(name) ? 'not implemented' : 'not permitted';
      answered[name] = ask(architecture, name);
    }
    expect(answered).toEqual(expected);
  });

  it('lets every other call through', () => {
    const known = new Set<number | null>(names().map((name) => syscallNumbers[name][architecture]));
    const others = Array.from({ length: 500 }, (_, number) => number).filter((number) => !known.has(number));
    expect(others.filter((number) => ask(architecture, number) !== 'allow')).toEqual([]);
  });

  it('ends a program of another architecture with a signal', () => {
    const program = composeSeccomp(architecture, alone);
    const others = [foreign.i386, foreign.arm, audited[architecture === 'x64' ? 'arm64' : 'x64'], 0];
    const answers = others.map((other) => interpretBpf(program, { architecture: other, number: 39, operands: [] }));
    expect(answers.map((each) => words.get(each))).toEqual(['kill', 'kill', 'kill', 'kill']);
  });

  it('tells a new process or thread from a new namespace', () => {
    const flags = { thread: 0x3d0f00, fork: 0x1200011, mount: 0x20000, control: 0x2000000, name: 0x4000000 };
    const more = {
      messages: 0x8000000,
      user: 0x10000000,
      processes: 0x20000000,
      network: 0x40000000,
      userAndFork: 0x10000011,
    };
    const answers = Object.entries({ ...flags, ...more }).map(([name, value]) => [
      name,
      ask(architecture, 'clone', [value]),
    ]);
    expect(Object.fromEntries(answers)).toEqual({
      thread: 'allow',
      fork: 'allow',
      mount: 'not permitted',
      control: 'not permitted',
      name: 'not permitted',
      messages: 'not permitted',
      user: 'not permitted',
      processes: 'not permitted',
      network: 'not permitted',
      userAndFork: 'not permitted',
    });
  });

  it('refuses to type into a terminal, whatever stands in the half of the request that the kernel drops', () => {
    const requests = [0x5412n, 0x541cn, 0x1_0000_5412n, 0x5401n, 0x5413n];
    expect(requests.map((request) => ask(architecture, 'ioctl', [0, request]))).toEqual([
      'not permitted',
      'not permitted',
      'not permitted',
      'allow',
      'allow',
    ]);
  });

  it.each([
    ['alone', alone, { unix: 'allow', inet: 'allow', inet6: 'allow', datagramPair: 'allow' }],
    [
      'among others',
      shared,
      { unix: 'not permitted', inet: 'not permitted', inet6: 'not permitted', datagramPair: 'not permitted' },
    ],
  ])('lets a command that is %s make the sockets that lead nowhere', (_, settings, expected) => {
    const socket = (domain: number, protocol = 0) => ask(architecture, 'socket', [domain, 1, protocol], settings);
    const pair = (domain: number, type: number) => ask(architecture, 'socketpair', [domain, type], settings);
    expect({
      unix: socket(1),
      inet: socket(2),
      inet6: socket(10),
      datagramPair: pair(1, 2 | 0o2000000),
      streamPair: pair(1, 1 | 0o2000000),
      sequentialPair: pair(1, 5),
      otherPair: pair(30, 1),
      interfaceList: socket(16),
      netfilter: socket(16, 12),
      packet: socket(17, 3),
      vsock: socket(40),
      algorithm: socket(38),
    }).toEqual({
      ...expected,
      streamPair: 'allow',
      sequentialPair: 'allow',
      otherPair: 'not permitted',
      interfaceList: 'allow',
      netfilter: 'not permitted',
      packet: 'not permitted',
      vsock: 'not permitted',
      algorithm: 'not permitted',
    });
  });

  it('lets no file become one that runs as its owner or group, however it is made', () => {
    const ways: [SyscallName, (mode: number) => number[]][] = [
      ['chmod', (mode) => [0, mode]],
      ['fchmod', (mode) => [0, mode]],
      ['fchmodat', (mode) => [0, 0, mode]],
      ['fchmodat2', (mode) => [0, 0, mode]],
      ['creat', (mode) => [0, mode]],
      ['mknod', (mode) => [0, mode | 0o100000]],
      ['mknodat', (mode) => [0, 0, mode | 0o100000]],
      ['open', (mode) => [0, 0o101, mode]],
      ['openat', (mode) => [0, 0, 0o101, mode]],
      ['openat', (mode) => [0, 0, 0o20200001, mode]],
    ];
    const present = ways.filter(([name]) => syscallNumbers[name][architecture] !== null);
    const answers = present.map(([name, operands]) =>
      [0o4755, 0o2755, 0o6000, 0o1777, 0o755].map((mode) => ask(architecture, name, operands(mode))),
    );
    const [refused, passed] = ['not permitted', 'allow'];
    expect(answers).toEqual(present.map(() => [refused, refused, refused, passed, passed]));
  });

  it('does not take what stands in the place of a mode for one where nothing is made', () => {
    const withoutCreation = { open: [0, 0, 0o6755], openat: [0, 0, 0o200000, 0o6755] } as const;
    expect(
      Object.entries(withoutCreation).map(([name, operands]) => ask(architecture, toName(name), operands)),
    ).toEqual([architecture === 'x64' ? 'allow' : 'no such call', 'allow']);
  });

  it('answers every call from within its description', () => {
    const operand = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const number = fc.oneof(fc.nat(500), fc.nat(0xffffffff), fc.constantFrom(...names().map(toNumber)));
    const anyArchitecture = fc.oneof({ weight: 9, arbitrary: fc.constant(audited[architecture]) }, fc.nat(0xffffffff));
    const call = fc.record({
      architecture: anyArchitecture,
      number,
      operands: fc.array(operand, { minLength: 6, maxLength: 6 }),
    });
    const settings = fc.record({ unixSockets: fc.boolean(), inetSockets: fc.boolean() });
    fc.assert(
      fc.property(call, settings, (each, setting) => {
        return words.has(interpretBpf(composeSeccomp(architecture, setting), each));
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with the kernel headers of this machine on the numbers', (test) => {
    const headers = readHeaders(architecture);
    if (headers === null) return test.skip('no kernel headers are installed');
    const wrong = names().filter(
      (name) => headers.has(name) && headers.get(name) !== syscallNumbers[name][architecture],
    );
    const unexpected = names().filter((name) => syscallNumbers[name][architecture] === null && headers.has(name));
    expect({ wrong, unexpected, compared: names().some((name) => headers.has(name)) }).toEqual({
      wrong: [],
      unexpected: [],
      compared: true,
    });
  });

  function toNumber(name: SyscallName): number {
    return syscallNumbers[name][architecture] ?? 0;
  }
});

it('ends a program that calls by the numbers of x32', () => {
  expect([0x40000000, 0x40000027, 0xffffffff].map((number) => ask('x64', number))).toEqual(['kill', 'kill', 'kill']);
});

function names(): SyscallName[] {
  return Object.keys(syscallNumbers).map(toName);
}

function toName(text: string): SyscallName {
  const isName = (each: string): each is SyscallName => each in syscallNumbers;
  if (!isName(text)) throw new TypeError(text);
  return text;
}

/** The numbers that the header of `architecture` gives, by name. */
function readHeaders(architecture: SyscallArchitecture): Map<string, number> | null {
  const generic = '/usr/include/asm-generic/unistd.h';
  const files =
    architecture === 'arm64'
      ? [generic]
      : ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h', '/usr/include/asm/unistd_64.h'];
  for (const file of files) {
    try {
      const lines = readFileSync(file, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
      return new Map([...lines].map(([, name = '', number]) => [name, Number(number)]));
    } catch {}
  }
  return null;
}
