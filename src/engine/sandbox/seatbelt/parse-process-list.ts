// Reads what `ps` prints of the processes of a machine. Pure. A line that is no process is left out.

/** How `ps` has to be asked. */
export const processColumns = 'pid=,ppid=,pgid=,rss=,time=,stat=,lstart=';
export const environmentColumns = 'pid=,lstart=,command=';

export interface ListedProcess {
  readonly pid: number;
  /** Pid and start together: a pid alone is given to another process sooner or later. */
  readonly identity: string;
  readonly parentPid: number;
  readonly groupId: number;
  /** Pages that others map too count in full. */
  readonly residentBytes: number;
  /** Its own, without its children's. */
  readonly cpuMs: number;
  /** It waits for its parent to notice. */
  readonly ended: boolean;
}

export function parseProcessList(text: string): readonly ListedProcess[] {
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

/** The value of a variable in the environment of each process that shows one, by the identity of the process. */
export function parseEnvironments(text: string, variable: string): ReadonlyMap<string, string> {
  const value = new RegExp(`(?:^| )${variable}=([^ ]*)`);
  const entries = text.split('\n').flatMap((line) => {
    const { pid, start, rest } = environmentLine.exec(line)?.groups ?? {};
    const found = value.exec(rest ?? '')?.[1];
    return found === undefined ? [] : [[toIdentity(pid, start), found] as const];
  });
  return new Map(entries);
}

/** As in `Mon Nov 30 13:12:00 2026`, also with the day before the month. */
const start = String.raw`(?<start>\w+ +\w+ +\w+ +[\d:]+ +\d+)`;
const processLine = new RegExp(
  String.raw`^ *(?<pid>\d+) +(?<parent>\d+) +(?<group>\d+) +(?<kilobytes>\d+) +(?<time>[\d:.,-]+) +(?<state>\S+) +${start} *$`,
);
const environmentLine = new RegExp(String.raw`^ *(?<pid>\d+) +${start} +(?<rest>.*)$`);

function parseLine(line: string): ListedProcess | null {
  const { pid, parent, group, kilobytes, time = '', state, start: began } = processLine.exec(line)?.groups ?? {};
  const cpuMs = parseCpuMs(time);
  if (pid === undefined || cpuMs === null) return null;
  return {
    pid: Number(pid),
    identity: toIdentity(pid, began),
    parentPid: Number(parent),
    groupId: Number(group),
    residentBytes: Number(kilobytes) * 1024,
    cpuMs,
    ended: state?.startsWith('Z') === true,
  };
}

const toIdentity = (pid: string | undefined, began: string | undefined): string =>
  `${pid} ${began?.replace(/ +/g, ' ')}`;

/** `[[days-]hours:]minutes:seconds[.hundredths]`, where the minutes may be more than an hour has. */
export function parseCpuMs(time: string): number | null {
  const fields = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d{2})(?:[.,](\d{2}))?$/.exec(time);
  if (fields === null) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0, hundredths = 0] = fields.map((field) => Number(field ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10;
}
