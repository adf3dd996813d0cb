// What a command needs of a language's tools: programs, the directories they live in, and words of its environment. Data
// only; how it becomes mounts, links or permissions is for the backend.

export type ToolchainName = 'rust' | 'node' | 'python' | 'go' | 'java' | 'c';

/** A directory or file of the host, and where commands see it. It is never writable there. */
export interface Mount {
  /** Real path. */
  readonly source: string;
  readonly target: string;
}

export interface Toolchain {
  readonly name: ToolchainName;
  /** Its compiler or interpreter, by its real path: what the trace and people are told. */
  readonly program: string;
  /** Directories of programs that come before those of the system. */
  readonly path: readonly string[];
  /** What must be there beside /usr, which always is. */
  readonly mounts: readonly Mount[];
  /** Downloads of the person that it may read, and where below the temporary directory it looks for them. */
  readonly caches: readonly { readonly source: string; readonly below: string }[];
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that name a place of its own below the temporary directory. */
  readonly scratch: Readonly<Record<string, string>>;
}

/** The packages of Debian and its kin that bring it to where every user may read it. */
export const toolchainPackages: Readonly<Record<ToolchainName, string>> = {
  rust: 'rustc cargo',
  node: 'nodejs npm',
  python: 'python3',
  go: 'golang-go',
  java: 'default-jdk-headless',
  c: 'gcc libc6-dev',
};

/** A toolchain of which only what is named here is special. */
export function createToolchain(
  toolchain: Pick<Toolchain, 'name' | 'program'> & Partial<Omit<Toolchain, 'name' | 'program'>>,
): Toolchain {
  return { path: [], mounts: [], caches: [], environment: {}, scratch: {}, ...toolchain };
}
