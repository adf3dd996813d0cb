// The way from a command to the proxy of the engine: programs know how to reach a proxy at a port, and the one way out of
// their network is a socket in the file system. It listens at the port, carries bytes to the socket and back, runs the
// command as its child and ends with it, the same way as the command does. In Perl, which is there already where commands
// are enclosed.

/** Where it listens, inside. */
export const forwarderPort = 3128;

/** Where the socket of the proxy lies, inside. */
export const proxySocketPath = '/run/network/proxy';

/** The command line that runs another one with the way out open. */
export function toForwarderArgv(perl: string, argv: readonly string[]): string[] {
  return [perl, '-e', forwarderSource, String(forwarderPort), proxySocketPath, ...argv];
}

/**
 * A connection is two flows, each with at most one piece under way: a side that does not read is not read for. A flow that has
 * come to its end says so to the other side and leaves the flow back alone. What signals there are end the command, not this.
 */
const forwarderSource = String.raw`
use strict;
use Errno;
use Fcntl qw(F_SETFL O_NONBLOCK);
use Socket;
my ($port, $path, @argv) = @ARGV;
my ($most, $piece) = (200, 65536);
sub never_wait { fcntl($_[0], F_SETFL, O_NONBLOCK) or die "$!\n" }

my $server;
socket($server, PF_INET, SOCK_STREAM, 0) && setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1)
  && bind($server, sockaddr_in($port, INADDR_LOOPBACK)) && listen($server, 512) or die "port $port: $!\n";
pipe(my $has_ended, my $end) or die "$!\n";
never_wait($_) for $server, $has_ended, $end;

my @signals = grep { !/^(?:ZERO|NUM\d+|KILL|STOP|CHLD|CLD|SEGV|BUS|FPE|ILL|ABRT|IOT|TRAP|SYS)$/ } keys %SIG;
$SIG{$_} = 'IGNORE' for @signals;
$SIG{CHLD} = sub { syswrite $end, '.' };
my $child = fork() // die "$!\n";
if ($child == 0) {
  $SIG{$_} = 'DEFAULT' for @signals, 'CHLD';
  # A signal to the group of the command is not one for this.
  setpgrp;
  exec { $argv[0] } @argv;
  print STDERR "$argv[0]: $!\n";
  exit 127;
}

my @flows;
sub connect_on {
  my ($client, $proxy);
  accept($client, $server) or return;
  socket($proxy, PF_UNIX, SOCK_STREAM, 0) && connect($proxy, sockaddr_un($path)) or return;
  never_wait($_) for $client, $proxy;
  my ($there, $back) = map { { from => $$_[0], to => $$_[1], bytes => '' } } [$client, $proxy], [$proxy, $client];
  ($there->{back}, $back->{back}) = ($back, $there);
  push @flows, $there, $back;
}

sub receive {
  my ($flow) = @_;
  my $count = sysread $flow->{from}, $flow->{bytes}, $piece;
  return $!{EAGAIN} || $!{EINTR} || give_up($flow) if !defined $count;
  return send_on($flow) if $count > 0;
  shutdown $flow->{to}, 1;
  $flow->{done} = 1;
}

sub send_on {
  my ($flow) = @_;
  my $count = syswrite $flow->{to}, $flow->{bytes};
  return $!{EAGAIN} || $!{EINTR} || give_up($flow) if !defined $count;
  substr($flow->{bytes}, 0, $count) = '';
}

sub give_up { $_[0]{done} = $_[0]{back}{done} = $_[0]{broken} = $_[0]{back}{broken} = 1 }

while (1) {
  my ($readable, $writable) = ('', '');
  vec($readable, fileno $has_ended, 1) = 1;
  vec($readable, fileno $server, 1) = 1 if @flows < 2 * $most;
  for (grep { !$$_{done} } @flows) {
    if ($$_{bytes} ne '') { vec($writable, fileno $$_{to}, 1) = 1 } else { vec($readable, fileno $$_{from}, 1) = 1 }
  }
  next if select($readable, $writable, undef, undef) < 0;
  if (vec($readable, fileno $has_ended, 1)) {
    sysread $has_ended, my $bytes, 512;
    exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if waitpid($child, 1) == $child;
  }
  connect_on() if vec($readable, fileno $server, 1);
  for (@flows) {
    next if $$_{done};
    if ($$_{bytes} ne '') { send_on($_) if vec($writable, fileno $$_{to}, 1) }
    elsif (vec($readable, fileno $$_{from}, 1)) { receive($_) }
  }
  my @over = grep { $$_{done} && $$_{back}{done} } @flows;
  @flows = grep { !($$_{done} && $$_{back}{done}) } @flows;
  # They name one another, and would stay open.
  delete $$_{back} for @over;
}
`;
