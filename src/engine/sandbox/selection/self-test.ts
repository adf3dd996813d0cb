// A command that tries to get out. Whether a sandbox encloses is found out by running this in it; settings of the system
// and versions of programs say nothing about that.
import { z } from 'zod';
import type { Isolation } from '../sandbox.ts';
import type { Bait } from './bait.ts';

/** What a command could do. */
export interface Reached {
  /** The number of the user that it ran as. */
  readonly user: number;
  /** Open a file of this machine that everybody may read. */
  readonly file: boolean;
  /** Connect to a port of this machine. */
  readonly port: boolean;
  /** Look at a process of this machine. */
  readonly process: boolean;
  /** Open a switch of the kernel for writing, as only the superuser of the machine can. */
  readonly kernel: boolean;
}

/** Needs perl inside, and nothing that perl does not bring along everywhere. */
export function toEscapeAttempt(perl: string, { file, port, process }: Bait): readonly [string, ...string[]] {
  return [perl, '-e', attempt, file, String(port), String(process.pid), String(process.startTime)];
}

/** Only with namespaces a command has processes of its own; and only Linux shows in files what the attempt looks for. */
const hidesProcesses: Readonly<Record<Exclude<Isolation, 'none'>, boolean>> = {
  landlock: false,
  seatbelt: false,
  bwrap: true,
};

/** What the attempt printed; null when it did not get to its end. */
export function parseReached(output: string): Reached | null {
  const words = Object.fromEntries(output.split('\n').map((line) => line.split(' ')));
  const parsed = Answers.safeParse(words);
  return parsed.success ? parsed.data : null;
}

/** The first thing that a command can do and must not, as the end of a sentence about it; null when there is none. */
export function findEscape(isolation: Isolation, reached: Reached): string | null {
  if (reached.user === 0) return 'runs as the superuser';
  if (isolation === 'none') return null;
  if (reached.kernel) return 'can change settings of the kernel';
  if (reached.file) return 'can read files outside its directory';
  if (reached.port) return 'can connect to ports of this machine';
  return reached.process && hidesProcesses[isolation] ? 'can see processes of this machine' : null;
}

const answer = z.enum(['yes', 'no']).transform((word) => word === 'yes');
const Answers = z.object({
  user: z.string().regex(/^\d+$/).transform(Number),
  file: answer,
  port: answer,
  process: answer,
  kernel: answer,
});

const attempt = String.raw`
my ($file, $port, $pid, $start) = @ARGV;
my ($opened, $socket, $process, $switch);
sub answer { print "$_[0] ", ($_[1] ? 'yes' : 'no'), "\n" }
print "user $>\n";
answer('file', open($opened, '<', $file));
my $family = $^O eq 'darwin' ? pack('C C', 16, 2) : pack('S', 2);
answer('port', socket($socket, 2, 1, 0) && connect($socket, $family . pack('n a4 x8', $port, "\x7f\0\0\x01")));
my $stat = open($process, '<', "/proc/$pid/stat") ? <$process> : '';
answer('process', $stat =~ /.*\) (.*)/ && (split ' ', $1)[19] eq $start);
answer('kernel', sysopen($switch, '/proc/sys/kernel/core_pattern', 1));
`;
