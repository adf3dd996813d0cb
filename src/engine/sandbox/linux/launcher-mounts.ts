// The part of the launcher that builds what a command sees: namespaces, file systems in memory, trees of this machine that
// are shown elsewhere and as somebody else's, and an overlay. It uses `kernel`, `number`, `text`, `put` and `keep` of the launcher.

/**
 * - `unshare-user UID GID`: a user and a mount namespace, in which this user is the superuser. `unshare-mount`: the latter alone.
 * - `make-for UID GID`: what follows is made for this user. `swap-map NAME UID UID GID GID`: a map that swaps two users and groups.
 * - `take NAME PATH MAP`: takes hold of a tree, seen through a map or, with an empty one, as it is. `attach NAME PATH ACCESS`: shows it.
 * - `memory PATH BYTES`, `directory PATH MODE`, `file PATH MODE CONTENT`, `link PATH TARGET`: makes these.
 * - `give DESCRIPTOR PATH HEX`: the next program finds these bytes at that descriptor; the path is free again afterwards.
 * - `make-layers LOWER UPPER WORK TARGET`, `hide UPPER LOWER PATH...`, `lay-over LOWER UPPER WORK TARGET OPTIONS`: an overlay.
 */
export const mountSource = String.raw`
my ($UNSHARE, $MOUNT, $MKNODAT) = (number(272, 97), number(165, 40), number(259, 33));
my ($OPEN_TREE, $MOVE_MOUNT, $MOUNT_SETATTR) = (428, 429, 442);
my ($NEWNS, $NEWUSER) = (0x00020000, 0x10000000);
my ($NOSUID, $NODEV, $REC, $PRIVATE) = (2, 4, 16384, 1 << 18);
my $HERE = -100;
my (%clones, %maps, %owner);

sub unshare_user {
  my ($uid, $gid) = @_;
  kernel($UNSHARE, $NEWUSER | $NEWNS);
  for (['setgroups', 'deny'], ['uid_map', "0 $uid 1"], ['gid_map', "0 $gid 1"]) { put("/proc/self/$$_[0]", $$_[1]) }
  kernel($MOUNT, text('none'), text('/'), 0, $REC | $PRIVATE, 0);
  # Changed credentials shut /proc/PID to everybody else; the engine looks through it at what is mounted here.
  kernel($PRCTL, 4, 1, 0, 0, 0);
}

sub unshare_mount {
  kernel($UNSHARE, $NEWNS);
  kernel($MOUNT, text('none'), text('/'), 0, $REC | $PRIVATE, 0);
}

# What follows is made for this user, when this is not the one already.
sub make_for { @owner{'uid', 'gid'} = map { $_ + 0 } @_ }

sub mount_memory {
  my ($path, $bytes) = @_;
  kernel($MOUNT, text('tmpfs'), text($path), text('tmpfs'), $NOSUID | $NODEV, text("size=$bytes,mode=0755"));
}

sub make_directory {
  my ($path, $mode) = @_;
  mkdir $path or die "$path: $!\n";
  hand_over($path, oct $mode);
}

sub make_file {
  my ($path, $mode, $content) = @_;
  put($path, $content);
  hand_over($path, oct $mode);
}

sub make_link {
  my ($path, $target) = @_;
  symlink $target, $path or die "$path: $!\n";
}

sub hand_over {
  my ($path, $mode) = @_;
  if (%owner) { chown $owner{uid}, $owner{gid}, $path or die "$path: $!\n" }
  chmod $mode, $path or die "$path: $!\n";
}

# The next program finds these bytes, told in hexadecimal digits, at that descriptor.
sub give {
  my ($descriptor, $path, $digits) = @_;
  put($path, pack('H*', $digits));
  open(my $file, '<', $path) or die "$path: $!\n";
  unlink $path;
  kernel($DUP3, fileno $file, $descriptor + 0, 0);
  keep($descriptor);
}

# A user namespace in which two users, and two groups, have changed places; all others are themselves.
sub swap_map {
  my ($name, $from_uid, $uid, $from_gid, $gid) = @_;
  pipe(my $is_made, my $made) or die "$!\n";
  pipe(my $may_end, my $end) or die "$!\n";
  my $child = fork() // die "$!\n";
  if ($child == 0) {
    close $end;
    syscall($UNSHARE, $NEWUSER) == 0 and syswrite $made, '.';
    sysread $may_end, my $byte, 1;
    kill KILL => $$;
  }
  close $made;
  close $may_end;
  eval {
    sysread($is_made, my $byte, 1) or die "no user namespace could be made\n";
    put("/proc/$child/uid_map", swapped($from_uid, $uid));
    put("/proc/$child/gid_map", swapped($from_gid, $gid));
    sysopen($maps{$name}, "/proc/$child/ns/user", 0) or die "$!\n";
  };
  my $failure = $@;
  close $end;
  waitpid $child, 0;
  die $failure if $failure;
}

sub swapped {
  my ($low, $high) = sort { $a <=> $b } @_;
  my $last = 4294967294;
  my @ranges = $low == $high ? ([0, 0, $last]) : (
    [0, 0, $low], [$low, $high, 1], [$low + 1, $low + 1, $high - $low - 1], [$high, $low, 1], [$high + 1, $high + 1, $last - $high - 1],
  );
  join '', map { "$$_[0] $$_[1] $$_[2]\n" } grep { $$_[2] > 0 } @ranges;
}

# Takes hold of a tree before anything is mounted over the way to it. Without a map also of what is mounted in it, because a
# user namespace may not look under mounts.
sub take {
  my ($name, $source, $map) = @_;
  my $recursive = $map eq '' ? 0x8000 : 0;
  my $tree = kernel($OPEN_TREE, $HERE, text($source), 1 | 0x80000 | $recursive);
  open($clones{$name}, '<&=', $tree) or die "$!\n";
  return if $map eq '';
  my $attributes = pack('Q4', 0x00100000, 0, 0, fileno $maps{$map});
  kernel($MOUNT_SETATTR, $tree, text(''), 0x1000, $attributes, 32);
}

sub attach {
  my ($name, $target, $access) = @_;
  my $tree = fileno $clones{$name};
  if (-e $target) { } elsif (-d $clones{$name}) { mkdir $target or die "$target: $!\n" } else { put($target, '') }
  # Also what bubblewrap would take from it: it leaves alone what is so already.
  if ($access eq 'read') { my $attributes = pack('Q4', 1 | 2 | 4, 0, 0, 0); kernel($MOUNT_SETATTR, $tree, text(''), 0x9000, $attributes, 32) }
  kernel($MOVE_MOUNT, $tree, text(''), $HERE, text($target), 4);
}

sub make_layers {
  my ($lower, $upper, $work, $target) = @_;
  for my $directory ($upper, $target) {
    mkdir $directory or die "$directory: $!\n";
    like($directory, $lower);
  }
  make_directory($work, '0700');
}

sub lay_over {
  my ($lower, $upper, $work, $target, $options) = @_;
  my $layers = "lowerdir=$lower,upperdir=$upper,workdir=$work,$options";
  kernel($MOUNT, text('overlay'), text($target), text('overlay'), $NOSUID | $NODEV, $layers);
}

sub like {
  my ($path, $model) = @_;
  my ($mode, $uid, $gid) = (lstat $model)[2, 4, 5];
  if (%owner) { chown $uid, $gid, $path or die "$path: $!\n" }
  chmod $mode & 0777, $path or die "$path: $!\n";
}

# A whiteout: in what is laid over, this path does not exist. A path that there is no way to any more needs none.
sub hide {
  my ($upper, $lower, @paths) = @_;
  PATH: for my $path (@paths) {
    my @above = split m{/}, $path;
    pop @above;
    my $way = '';
    for my $part (@above) {
      $way .= "/$part";
      next if -d "$upper$way";
      next PATH if -l "$lower$way" || !-d _;
      mkdir "$upper$way" or die "$path: $!\n";
      like("$upper$way", "$lower$way");
    }
    kernel($MKNODAT, $HERE, text("$upper/$path"), 0020000, 0);
  }
}

%instructions = (
  %instructions, 'unshare-user' => \&unshare_user, 'unshare-mount' => \&unshare_mount, 'make-for' => \&make_for,
  memory => \&mount_memory, directory => \&make_directory, file => \&make_file, link => \&make_link, give => \&give, 'swap-map' => \&swap_map,
  take => \&take, attach => \&attach, 'make-layers' => \&make_layers, 'lay-over' => \&lay_over, hide => \&hide,
);
`;
