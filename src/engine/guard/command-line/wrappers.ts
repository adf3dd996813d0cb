// Programs that start another program which their own words name. What is started is judged as if it stood there alone.

export interface WrapperShape {
  /** Options without a value. An option that is in neither list makes it uncertain where the inner program begins. */
  readonly flags?: string;
  readonly value?: string;
  readonly attached?: string;
  /** Options whose value is a directory that the inner program runs in. */
  readonly directory?: string;
  /** Options whose value is a text for a shell. */
  readonly line?: string;
  /** Options whose value is a file that is written. */
  readonly write?: string;
  /** Options whose value is a file that is read. */
  readonly read?: string;
  /** Options that make it start something that its words do not name. */
  readonly hides?: string;
  /** How many operands stand before the inner program. */
  readonly skips?: number;
  /** `NAME=value` before the inner program sets its environment. */
  readonly takesAssignments?: boolean;
  /** The inner program gets more words than are written. */
  readonly addsWords?: boolean;
  /** What it starts gets its words joined to a text for a shell. */
  readonly joinsWords?: boolean;
  /** What it writes besides. */
  readonly alwaysWrites?: string;
  /** What is not told by its words in any case. */
  readonly always?: string;
}

const elsewhere = 'the program runs with another root or on another machine';

export const wrappers: Readonly<Record<string, WrapperShape>> = {
  sudo: {
    flags:
      '-A -b -E -H -k -n -P -S -B --askpass --background --preserve-env --set-home --non-interactive --stdin --reset-timestamp',
    attached: '--preserve-env',
    value:
      '-u --user -g --group -h --host -p --prompt -C --close-from -T --command-timeout -r --role -t --type -U --other-user',
    directory: '-D --chdir',
    hides: '-e --edit -i --login -s --shell -R --chroot',
    takesAssignments: true,
  },
  doas: { flags: '-n -L', value: '-u', hides: '-s -C' },
  env: {
    flags: '-i -0 -v --ignore-environment --null --debug --list-signal-handling',
    attached: '--default-signal --ignore-signal --block-signal',
    value: '-u --unset -a --argv0',
    directory: '-C --chdir',
    hides: '-S --split-string',
    takesAssignments: true,
  },
  timeout: { flags: '-v -f --foreground --preserve-status --verbose', value: '-k --kill-after -s --signal', skips: 1 },
  'nohup catchsegv dbus-run-session caffeinate unbuffer linux32 linux64 i386 x86_64 pkexec ld-linux-x86-64.so.2 ld-linux-aarch64.so.1':
    {},
  setsid: { flags: '-c -f -w --ctty --fork --wait' },
  nice: { value: '-n --adjustment' },
  ionice: { flags: '-t --ignore', value: '-c --class -n --classdata', hides: '-p -P -u' },
  chrt: { flags: '-b -d -f -i -o -r -R -a -v', value: '-T -P -D', skips: 1 },
  taskset: { flags: '-a -c --all-tasks --cpu-list', hides: '-p --pid', skips: 1 },
  stdbuf: { value: '-i --input -o --output -e --error' },
  time: { flags: '-p -v -a -q --portability --verbose --append --quiet', value: '-f --format', write: '-o --output' },
  watch: {
    flags: '-b -c -C -d -e -g -p -r -t -w --beep --color --errexit --chgexit --precise --no-title --no-wrap',
    attached: '--differences',
    value: '-n --interval',
    hides: '-x --exec',
    joinsWords: true,
  },
  strace: {
    flags: '-f -ff -c -C -d -i -k -n -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z -A -D',
    value: '-a -b -e -I -O -p -P -s -S -U -X -u',
    write: '-o --output',
    hides: '-E',
  },
  script: {
    flags: '-a -e -f -q --append --return --flush --quiet',
    attached: '-t',
    line: '-c --command',
    write: '-I -O -B -T -m',
    alwaysWrites: 'typescript',
    always: 'it starts a shell',
  },
  flock: {
    flags: '-s -x -e -u -n -o -F -v --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose',
    value: '-w --wait --timeout -E --conflict-exit-code',
    line: '-c --command',
    skips: 1,
  },
  'busybox toybox': {},
  chroot: { value: '--groups --userspec', flags: '--skip-chdir', skips: 1, always: elsewhere },
  unshare: {
    flags: '-c -f -r -T --map-root-user --map-current-user --fork --keep-caps --map-auto',
    attached: '-i -m -n -p -u -C -U --ipc --mount --net --pid --uts --cgroup --user --mount-proc --kill-child --time',
    value:
      '-S -G --setuid --setgid --setgroups --propagation --map-user --map-group --map-users --map-groups --monotonic --boottime -w --wd',
    hides: '-R --root',
    always: elsewhere,
  },
  nsenter: {
    hides: '-r -w -F -Z --root --wd',
    attached: '-m -u -i -n -p -C -U -T',
    value: '-t --target -S -G',
    always: elsewhere,
  },
  setpriv: {
    flags: '--no-new-privs --clear-groups --keep-groups --init-groups --reset-env',
    value:
      '--reuid --regid --ruid --euid --rgid --egid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig',
  },
  prlimit: {
    attached:
      '-c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y --as --cpu --fsize --nofile --nproc --core --data --stack --rss',
    hides: '-p --pid',
  },
  'setarch uclampset choom sg newgrp run-parts ld.so ld-linux.so.2': {
    always: 'which of its words is the program is not clear',
  },
  'gosu su-exec faketime': { skips: 1 },
  'su runuser': {
    flags: '-l -m -p -f - --login --preserve-environment',
    line: '-c --command --session-command',
    value: '-s --shell -g --group -G --supp-group -u --user',
    always: 'it starts a shell as somebody else',
  },
  'ltrace systemd-run firejail proot bwrap fakeroot xvfb-run rlwrap valgrind perf gdb lldb rr tsocks torsocks proxychains proxychains4 parallel sem at batch entr nodemon crontab tmux screen expect daemonize start-stop-daemon dtach abduco ssh-agent gnome-terminal xterm socat openvt':
    {
      hides: '',
      always: 'it starts other programs in ways that its words only hint at',
    },
  xargs: {
    flags: '-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits',
    attached: '-e -i -l --eof --replace --max-lines',
    value: '-d --delimiter -E -I -L -n --max-args -P --max-procs -s --max-chars --process-slot-var -R -S -J',
    read: '-a --arg-file',
    addsWords: true,
  },
};
