// The part of the launcher that encloses a process without namespaces. It uses `kernel`, `number`, `$parent` and the numbers
// of system calls of the launcher.

/**
 * - `enter PATH`: the directory of what follows. `environment NAME VALUE...`: its whole environment.
 * - `hold`: this process stays to see every process of the command gone, and the rest of the list is for a child of it. It
 *   ends as the command does. What the command leaves running comes to it and is ended, also when the engine is gone.
 * - `landlock VERSION COUNT PATH...`: of all files, the first COUNT paths and what lies below may be read and run, and the
 *   others also written; no processes but the command's own may be signalled. Fails below this version of Landlock.
 * - `filter HEX`: a system call filter.
 */
export const enclosureSource = String.raw`
my ($SETSID, $SIGPROCMASK, $SIGTIMEDWAIT) = (number(112, 157), number(14, 135), number(128, 137));
my ($CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF) = (444, 445, 446);
my ($KILL, $TERM, $CHLD) = (9, 15, 17);

sub enter { chdir $_[0] or die "$_[0]: $!\n" }

sub environment { %ENV = @_ }

sub hold {
  kernel($PRCTL, 36, 1, 0, 0, 0);
  kernel($PRCTL, 1, $TERM, 0, 0, 0);
  die "the engine is gone\n" if getppid() != $parent;
  # Blocked, so that neither can come in the moment between a look and the wait.
  my $awaited = pack('Q', 1 << ($TERM - 1) | 1 << ($CHLD - 1));
  my $none = pack('Q', 0);
  kernel($SIGPROCMASK, 0, $awaited, 0, 8);
  my $holder = $$;
  my $child = fork() // die "$!\n";
  if ($child == 0) {
    kernel($SETSID);
    kernel($PRCTL, 1, $KILL, 0, 0, 0);
    die "the launcher is gone\n" if getppid() != $holder;
    kernel($SIGPROCMASK, 2, $none, 0, 8);
    return;
  }
  # The child alone answers on it, and its end shows that the command began.
  close $_ for $status, $go;
  my $status = wait_for($child, $awaited);
  end_rest();
  end_like($status);
}

# How the child ended, or as if killed when the engine went first.
sub wait_for {
  my ($child, $awaited) = @_;
  while (1) {
    my $signal = syscall($SIGTIMEDWAIT, $awaited, 0, 0, 8);
    return $KILL if $signal == $TERM;
    while ((my $ended = waitpid -1, 1) > 0) { return $? if $ended == $child }
  }
}

# Whatever loses its parent becomes a child of this process, so none is left when it has no children.
sub end_rest {
  while ((my $ended = waitpid -1, 1) >= 0) {
    next if $ended > 0;
    kill KILL => descendants();
    select undef, undef, undef, 0.001;
  }
}

sub descendants {
  my %children;
  opendir(my $processes, '/proc') or return;
  for my $process (grep { /^\d+$/ } readdir $processes) {
    open(my $file, '<', "/proc/$process/stat") or next;
    my $line = <$file> // next;
    push @{$children{$1}}, $process if $line =~ /.*\) \S (\d+)/s;
  }
  my @found = ($$);
  for (my $at = 0; $at < @found; $at++) { push @found, @{$children{$found[$at]} // []} }
  shift @found;
  @found;
}

sub end_like {
  my ($status) = @_;
  my $signal = $status & 127;
  my $end = pack('Q', 0);
  if ($signal) {
    kernel($SIGPROCMASK, 2, $end, 0, 8);
    kill $signal => $$;
  }
  exit($status >> 8);
}

sub landlock {
  my ($needed, $count, @paths) = @_;
  my $abi = syscall($CREATE_RULESET, 0, 0, 1);
  die "this kernel has no Landlock: $!\n" if $abi < 1;
  die "this kernel has Landlock in version $abi, and $needed is needed\n" if $abi < $needed;
  # Every right over files that this kernel knows, both over TCP, both over signals and sockets outside.
  my $every = (1 << 15) - 1 | ($abi >= 5 ? 1 << 15 : 0);
  my $attributes = pack('Q3', $every, $abi >= 4 ? 3 : 0, $abi >= 6 ? 3 : 0);
  my $rules = kernel($CREATE_RULESET, $attributes, $abi >= 6 ? 24 : $abi >= 4 ? 16 : 8, 0);
  # To run, to read, to list.
  grant($rules, $_, 1 | 4 | 8) for splice @paths, 0, $count;
  grant($rules, $_, $every) for @paths;
  kernel($PRCTL, 38, 1, 0, 0, 0);
  kernel($RESTRICT_SELF, $rules, 0);
  kernel($CLOSE, $rules);
}

sub grant {
  my ($rules, $path, $access) = @_;
  # By its name alone (O_PATH), which needs no permission to read it.
  sysopen(my $file, $path, 0x200000) or die "$path: $!\n";
  # A file has no entries: to run, write, read, cut off and control it is all there is.
  $access &= 1 | 2 | 4 | 1 << 14 | 1 << 15 unless -d $file;
  my $rule = pack('Ql', $access, fileno $file);
  eval { kernel($ADD_RULE, $rules, 1, $rule, 0); 1 } or die "$path: $@";
}

sub filter {
  my $code = pack 'H*', $_[0];
  my $program = pack('S x6 P', length($code) / 8, $code);
  kernel($PRCTL, 38, 1, 0, 0, 0);
  kernel($PRCTL, 22, 2, $program, 0, 0);
}

%instructions = (
  %instructions, enter => \&enter, environment => \&environment, hold => \&hold, landlock => \&landlock, filter => \&filter,
);
`;
