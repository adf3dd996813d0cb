// The small process from which launchers are forked, in perl. It has read what a launcher can do once and for all, and it is
// small, so that a fork of it costs the same however much memory the engine has.
import { launcherSource } from './launcher-source.ts';

/**
 * Started with the architecture, `x64` or `arm64`. Reads lines of words divided by blanks from descriptor 3, and answers lines of
 * words divided by tabs, each with the number that it was given.
 *
 * - `fork NUMBER`, `fork NUMBER PATH`: forks a launcher that leads a session of its own, in this control group. Answers `forked`,
 *   the process and the descriptors to open here: status, go, output, errors and input; or `failed` and why.
 * - `opened NUMBER`: they have been, and are closed here.
 * - `reap NUMBER`: its number may be given to another process. Not before: whoever acts on it has to know that it is still
 *   the same. That it has ended is told first, as `ended`, with `exit` or `signal` and which.
 *
 * It ends when the engine does, and with it all that were forked from it.
 */
export const zygoteSource = String.raw`${launcherSource}
my ($SIGNALFD, $WAITID, $CLONE3) = (number(289, 74), number(247, 95), 435);
open(my $channel, '+<&=', 3) or exit 70;
my ($itself, $pending, $signals) = ($$, '');
my (%ends, %pids, %told);

sub tell_engine { syswrite $channel, join("\t", @_) . "\n" }

sub fork_launcher {
  my ($number, $group) = @_;
  my %pipes;
  for my $name (qw(status go output errors input)) {
    pipe($pipes{$name}[0], $pipes{$name}[1]) or return tell_engine('failed', $number, "$!");
  }
  # Whoever runs as somebody else must be able to open what it already holds. It has no name by which others could.
  chmod 0622, $pipes{output}[1], $pipes{errors}[1];
  my $pid = eval { defined $group ? fork_into($group) : fork() // die "$!\n" };
  if (!defined $pid) {
    chomp(my $why = $@);
    return tell_engine('failed', $number, $why);
  }
  if ($pid == 0) {
    become_launcher(\%pipes);
    carry_out();
    exit 70;
  }
  $pids{$number} = $pid;
  my @ours = ($pipes{status}[0], $pipes{go}[1], $pipes{output}[0], $pipes{errors}[0], $pipes{input}[1]);
  # Nothing can be opened for writing that nobody reads, so those ends are kept too.
  $ends{$number} = [@ours, $pipes{go}[0], $pipes{input}[0]];
  tell_engine('forked', $number, $pid, map { fileno $_ } @ours);
}

# Born there: to move there later takes the kernel many times as long.
sub fork_into {
  my ($group) = @_;
  sysopen(my $place, $group, 0x200000) or die "$group: $!\n";
  my $birth = pack('Q11', 1 << 33, 0, 0, 0, $CHLD, 0, 0, 0, 0, 0, fileno $place);
  my $pid = syscall($CLONE3, $birth, length $birth);
  return $pid if $pid >= 0;
  # Before Linux 5.7, and where a container refuses this call, it is moved: it has nothing to do yet.
  $pid = fork() // die "$!\n";
  return $pid if $pid == 0 || eval { put("$group/cgroup.procs", $pid); 1 };
  my $why = $@;
  kill KILL => $pid;
  waitpid $pid, 0;
  die $why;
}

sub become_launcher {
  my ($pipes) = @_;
  # What others were given is not for this one, and would not end while it holds it. By perl, which else keeps the descriptors
  # open that get the same numbers here.
  %ends = ();
  close $_ for $channel, $signals;
  $parent = $itself;
  kernel($SETSID);
  my $none = pack('Q', 0);
  kernel($SIGPROCMASK, 2, $none, 0, 8);
  die_with_parent();
  my @places = ($$pipes{input}[0], $$pipes{output}[1], $$pipes{errors}[1], $$pipes{status}[1], $$pipes{go}[0]);
  for my $place (0 .. 4) { kernel($DUP3, fileno $places[$place], $place, $place > 2 ? 0x80000 : 0) }
  %$pipes = ();
  open($status, '>&=', 3) or exit 70;
  open($go, '<&=', 4) or exit 70;
}

# Seen without being reaped.
sub tell_ended {
  for my $number (grep { !$told{$_} } keys %pids) {
    my $seen = "\0" x 128;
    syscall($WAITID, 1, $pids{$number}, $seen, 0x1000005, 0) == 0 or next;
    my ($signal, $how, $what) = unpack 'l x4 l x12 l', $seen;
    next if $signal == 0;
    $told{$number} = 1;
    tell_engine('ended', $number, $how == 1 ? 'exit' : 'signal', $what);
  }
}

sub reap {
  my ($number) = @_;
  waitpid $pids{$number}, 0;
  delete $pids{$number};
  delete $told{$number};
}

my %requests = (fork => \&fork_launcher, opened => sub { delete $ends{$_[0]} }, reap => \&reap);

sub serve {
  while ($pending =~ s/^(\w+) (\d+)(?: (.*))?\n//) { $requests{$1}->($2, $3) }
}

my $awaited = pack('Q', 1 << ($CHLD - 1));
kernel($SIGPROCMASK, 0, $awaited, 0, 8);
open($signals, '<&=', kernel($SIGNALFD, -1, $awaited, 8, 0x80800)) or exit 70;
$parent = getppid;
die_with_parent();
while (1) {
  my $readable = '';
  vec($readable, fileno $_, 1) = 1 for $channel, $signals;
  select($readable, undef, undef, undef) > 0 or next;
  if (vec($readable, fileno $signals, 1)) {
    sysread $signals, my $signal, 4096;
    tell_ended();
  }
  next if !vec($readable, fileno $channel, 1);
  sysread($channel, $pending, 65536, length $pending) or exit;
  serve();
}
`;
