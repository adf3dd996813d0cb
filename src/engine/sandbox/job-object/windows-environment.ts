// The environment of commands on Windows, built from nothing. Names there are the same in any letter case, so what is fixed
// stands whatever case somebody else wrote it in.
import { win32 } from 'node:path';

export interface WindowsPlaces {
  /** Such as `C:\Windows`. */
  readonly systemRoot: string;
  /** Directories of programs that come before those of the system. */
  readonly programs: readonly string[];
  /** Home and temporary directory of the command. */
  readonly scratch: string;
}

/** Where bare names are looked for, in this order. */
export function toWindowsPath({ systemRoot, programs }: Omit<WindowsPlaces, 'scratch'>): readonly string[] {
  const system = win32.join(systemRoot, 'System32');
  return [...programs, system, systemRoot, win32.join(system, 'WindowsPowerShell', 'v1.0')];
}

export function toWindowsEnvironment(
  given: Readonly<Record<string, string>>,
  places: WindowsPlaces,
): Record<string, string> {
  const { systemRoot, scratch } = places;
  return mergeNames(given, {
    PATH: toWindowsPath(places).join(';'),
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    SystemRoot: systemRoot,
    windir: systemRoot,
    SystemDrive: win32.parse(systemRoot).root.slice(0, 2),
    ComSpec: win32.join(systemRoot, 'System32', 'cmd.exe'),
    HOME: scratch,
    USERPROFILE: scratch,
    APPDATA: scratch,
    LOCALAPPDATA: scratch,
    TEMP: scratch,
    TMP: scratch,
    TMPDIR: scratch,
    CI: '1',
    NO_COLOR: '1',
  });
}

/** Of two spellings of one name the later stands, as it was spelled. */
function mergeNames(...parts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const entry of parts.flatMap((part) => Object.entries(part))) byName.set(entry[0].toUpperCase(), entry);
  return Object.fromEntries(byName.values());
}
