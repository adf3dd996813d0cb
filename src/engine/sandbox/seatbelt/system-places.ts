// What a command may use of macOS itself: enough for shells, compilers and interpreters to run. Places are real paths, as
// Seatbelt compares them; one that does not exist grants nothing.

/** With all that lies below. No place of the person, and nothing where services keep their data. */
export const systemPlaces: readonly string[] = [
  ...['bin', 'lib', 'libexec', 'sbin', 'share', 'include'].map((name) => `/usr/${name}`),
  '/bin',
  '/sbin',
  // Never /System as a whole: the volume with the homes is mounted in it.
  '/System/Library',
  '/System/Cryptexes',
  '/System/Volumes/Preboot/Cryptexes',
  '/Library/Apple',
  '/Library/Developer',
  '/Library/Frameworks',
  '/Library/Java',
  '/Applications/Xcode.app',
  ...['/usr/local', '/opt/homebrew'].flatMap((prefix) =>
    ['bin', 'sbin', 'lib', 'libexec', 'opt', 'share', 'include', 'Cellar', 'Frameworks'].map(
      (name) => `${prefix}/${name}`,
    ),
  ),
  ...['group', 'hosts', 'localtime', 'passwd', 'protocols', 'services', 'shells', 'ssl'].map(
    (name) => `/private/etc/${name}`,
  ),
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/db/xcode_select_link',
  '/private/var/select',
];

/** To read and to write: what is written to them goes nowhere. */
export const devices: readonly string[] = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

/** Links that lead to what is allowed; what they lead to is asked for by itself. */
export const systemLinks: readonly string[] = [
  '/etc',
  '/tmp',
  '/var',
  '/dev/fd',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
];

/** Who a number of a user belongs to. Nothing by which another program could be told to do something. */
export const machServices: readonly string[] = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
];

/** Facts about the machine. By name, because others tell the arguments and the environment of any process. */
export const systemFacts: readonly string[] = [
  'kern.argmax',
  'kern.bootargs',
  'kern.hostname',
  'kern.maxfilesperproc',
  'kern.maxproc',
  'kern.ngroups',
  'kern.osproductversion',
  'kern.osrelease',
  'kern.ostype',
  'kern.osvariant_status',
  'kern.osversion',
  'kern.secure_kernel',
  'kern.usrstack64',
  'kern.version',
  'sysctl.proc_cputype',
  'vm.loadavg',
];

/** Facts of which all with this beginning are harmless. */
export const systemFactPrefixes: readonly string[] = ['hw.', 'machdep.cpu.'];
