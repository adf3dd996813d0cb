// Programs that only read and print, whatever their options: none of these writes a file, starts a program, opens a
// connection or waits for a person. What they may read is judged apart, as an act of its own. `sort`, `uniq`, `tree`, `xxd`,
// `date`, `hostname`, `file`, `find`, `rg` and `less` are missing because each has an option or operand that does more.

export const harmlessPrograms: ReadonlySet<string> = new Set([
  ...['ls', 'pwd', 'stat', 'du', 'df', 'basename', 'dirname', 'realpath', 'readlink'],
  ...['cat', 'tac', 'head', 'tail', 'nl', 'wc', 'cut', 'tr', 'rev', 'fold', 'expand', 'paste', 'join', 'comm', 'od'],
  ...['grep', 'egrep', 'fgrep', 'cmp', 'cksum', 'md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'b2sum'],
  ...['echo', 'true', 'false', 'seq', 'id', 'groups', 'whoami', 'uname', 'arch', 'nproc'],
]);
