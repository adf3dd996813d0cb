// The program that stands between the engine and a command on Linux: system calls that Node has none for, made by perl,
// whose `syscall` needs no compiled code. It carries out a list of instructions and then becomes the next program, so that
// nothing of it stays. It is a text because it runs outside this program and before any file of the engine is in reach.
import { enclosureSource } from './launcher-enclosure.ts';
import { mountSource } from './launcher-mounts.ts';

/**
 * What a launcher can do. `carry_out` reads a list of instructions from `$go`, each a name, the number of its operands and the
 * operands. Whatever cannot be done is told on `$status`, which is descriptor 3, as `failed`, the instruction and why, and nothing is
 * run. It expects its parent in `$parent`.
 *
 * - `wait`: answers `ready` and goes on with the next byte that comes from `$go`.
 * - `become UID GID`: gives up every right of the engine's user. `die-with-parent`: ends when the parent does.
 * - `limit RESOURCE SOFT HARD`: a resource limit, by the kernel's number for it.
 * - `no-input`: nothing can be read. `keep DESCRIPTOR`: the next program finds it open.
 * - `start PROGRAM ARGUMENT...`: becomes that program.
 */
export const launcherSource = `${basicSource()}${mountSource}${enclosureSource}`;

function basicSource(): string {
  return String.raw`
use strict;
my $arm = shift(@ARGV) eq 'arm64';
sub number { my ($x64, $arm64) = @_; $arm ? $arm64 : $x64 }

my ($SETGROUPS, $SETRESUID, $SETRESGID) = (number(116, 159), number(117, 147), number(119, 149));
my ($PRCTL, $CLOSE, $FCNTL) = (number(157, 167), number(3, 57), number(72, 25));
my ($PRLIMIT, $DUP3) = (number(302, 261), number(292, 24));
my %kept;
my ($parent, $status, $go);

# A string operand must be a variable of its own: perl may hand its memory to the kernel.
sub kernel { my ($number, @operands) = @_; my $result = syscall($number, @operands); die "$!\n" if $result == -1; $result }
sub text { "$_[0]" }

sub put {
  my ($path, $text) = @_;
  open(my $file, '>', $path) or die "$path: $!\n";
  syswrite($file, $text) == length $text or die "$path: $!\n";
  close $file or die "$path: $!\n";
}

# Nothing of the engine's user is left: no group, no way back.
sub become {
  my ($uid, $gid) = map { $_ + 0 } @_;
  kernel($SETGROUPS, 0, 0);
  kernel($SETRESGID, $gid, $gid, $gid);
  kernel($SETRESUID, $uid, $uid, $uid);
}

# After every change of user, which undoes it.
sub die_with_parent {
  kernel($PRCTL, 1, 9, 0, 0, 0);
  die "the engine is gone\n" if getppid() != $parent;
}

sub limit {
  my ($resource, $soft, $hard) = @_;
  my $limits = pack('Q2', $soft, $hard);
  kernel($PRLIMIT, 0, $resource + 0, $limits, 0);
}

sub keep {
  my ($descriptor) = @_;
  kernel($FCNTL, $descriptor + 0, 2, 0);
  $kept{$descriptor + 0} = 1;
}

# Its last output is descriptor 2. All others that it was not told to keep end with the start, also the one on which a failure
# to start is told.
sub start {
  my (@argv) = @_;
  end_with_start();
  keep($_) for keys %kept;
  exec { $argv[0] } @argv;
  die "$argv[0]: $!\n";
}

sub end_with_start {
  return if syscall(436, 3, 0xffffffff, 4) == 0;
  # Before Linux 5.11 one by one.
  opendir(my $open, '/proc/self/fd') or die "/proc/self/fd: $!\n";
  for (grep { /^\d+$/ && $_ > 2 } readdir $open) { syscall($FCNTL, $_ + 0, 2, 1) }
}

# The standard input is the end of a pipe, or nothing.
sub no_input {
  open(my $nothing, '<', '/dev/null') or die "/dev/null: $!\n";
  kernel($DUP3, fileno $nothing, 0, 0);
}

sub ready { syswrite $status, "ready\n"; read_more(1) }

# What comes from the engine; without it there is nothing to do.
sub read_more {
  my ($count) = @_;
  my $bytes = '';
  while (length $bytes < $count) { sysread($go, $bytes, $count - length $bytes, length $bytes) or exit 70 }
  $bytes;
}

my %instructions = (
  become => \&become, 'die-with-parent' => \&die_with_parent, limit => \&limit, 'no-input' => \&no_input, keep => \&keep,
  wait => \&ready, start => \&start,
);

# A list is twelve digits for the number of its bytes, and words that are each ended by a zero byte.
sub carry_out {
  my @words = split /\0/, substr(read_more(read_more(12)), 0, -1), -1;
  while (@words) {
    my ($name, $count) = splice @words, 0, 2;
    my @operands = splice @words, 0, $count;
    eval { ($instructions{$name} // die "unknown\n")->(@operands); 1 } and next;
    chomp(my $why = $@);
    syswrite $status, "failed\t$name\t$why\n";
    exit 70;
  }
}
`;
}
