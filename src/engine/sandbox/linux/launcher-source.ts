// The program that stands between the engine and a command on Linux: system calls that Node has none for, made by perl,
// whose `syscall` needs no compiled code. It carries out a list of instructions and then becomes the next program, so that
// nothing of it stays. It is a text because it runs outside this program and before any file of the engine is in reach; what
// a launch does not need is left out of it, because perl reads all of it each time.
import { enclosureSource } from './launcher-enclosure.ts';
import { mountSource } from './launcher-mounts.ts';

/** What a launcher can do beside becoming another user and another program. */
export type LauncherPart = 'mounts' | 'enclosure';

/**
 * Started with the architecture, `x64` or `arm64`. Reads from descriptor 3, both ways: a list of instructions, each a name,
 * the number of its operands and the operands, every word ended by a zero byte, the list by an empty name. Whatever cannot be
 * done is told there, as `failed`, the instruction and why, and nothing is run.
 *
 * - `wait`: answers `ready` and goes on with the next byte that comes.
 * - `become UID GID`: gives up every right of the engine's user. `die-with PID`: ends when this parent does.
 * - `keep DESCRIPTOR`: the next program finds it open. `start PROGRAM ARGUMENT...`: becomes that program.
 */
export function composeLauncher(part: LauncherPart): string {
  return `${beginning}${part === 'mounts' ? mountSource : enclosureSource}${end}`;
}

const beginning = String.raw`
use strict;
my $arm = shift(@ARGV) eq 'arm64';
sub number { my ($x64, $arm64) = @_; $arm ? $arm64 : $x64 }

my ($SETGROUPS, $SETRESUID, $SETRESGID) = (number(116, 159), number(117, 147), number(119, 149));
my ($PRCTL, $CLOSE) = (number(157, 167), number(3, 57));
my %kept = map { $_ => 1 } 0, 1, 2;
open(my $channel, '+<&=', 3) or exit 70;

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
sub die_with {
  my ($parent) = @_;
  kernel($PRCTL, 1, 9, 0, 0, 0);
  die "the engine is gone\n" if getppid() != $parent;
}

sub keep { $kept{$_[0] + 0} = 1 }

# All descriptors that it was not told to keep are closed, also those the engine had from elsewhere.
sub start {
  my (@argv) = @_;
  opendir(my $open, '/proc/self/fd') or die "/proc/self/fd: $!\n";
  for (grep { /^\d+$/ && !$kept{$_} && $_ != fileno $channel } readdir $open) { syscall($CLOSE, $_ + 0) }
  exec { $argv[0] } @argv;
  die "$argv[0]: $!\n";
}

sub ready { syswrite $channel, "ready\n"; sysread($channel, my $byte, 1) or exit 70 }

my %instructions = (become => \&become, 'die-with' => \&die_with, keep => \&keep, wait => \&ready, start => \&start);
`;

const end = String.raw`
my $pending = '';
sub word {
  my $end;
  while (($end = index $pending, "\0") < 0) { sysread($channel, $pending, 65536, length $pending) or exit 70 }
  my $word = substr $pending, 0, $end;
  substr($pending, 0, $end + 1) = '';
  $word;
}

my @list;
while ((my $name = word()) ne '') { my $count = word(); push @list, [$name, map { word() } 1 .. $count] }
for (@list) {
  my ($name, @operands) = @$_;
  eval { ($instructions{$name} // die "unknown\n")->(@operands); 1 } and next;
  chomp(my $why = $@);
  syswrite $channel, "failed\t$name\t$why\n";
  exit 70;
}
`;
