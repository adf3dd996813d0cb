// Who may import whom inside `src`, as data. A place is a folder or a single file; whatever a row does not grant is
// refused, and a file that lies in no place is refused too, so a new folder starts with a row here.

export interface ImportRow {
  readonly place: string;
  /** Other places whose every export may be used. */
  readonly may: readonly string[];
  /** Other places of which only the port files may be used, so that no adapter is known here. */
  readonly mayUsePortsOf?: readonly string[];
  /** Single files of which only types may be used. */
  readonly mayUseTypesOf?: readonly string[];
  /** npm packages; `any` still leaves out the reserved ones. */
  readonly packages: 'any' | readonly string[];
  /** Modules of Node itself; `any` still leaves out the reserved ones. */
  readonly builtins: 'any' | 'none';
}

const base = ['shared', 'engine/contract', 'engine/policy', 'engine/budget'];
const carriers = ['engine/process', 'engine/journal', 'engine/net', 'engine/sandbox'];
const adapters = ['engine/provider', 'engine/mcp', 'engine/approval'];
const capabilities = ['engine/tool', 'engine/check', 'engine/extension', 'engine/document'];
const engineParts = [...base, ...carriers, ...adapters, 'engine/guard', ...capabilities, 'engine/run'];
const wholeEngine = [...engineParts, 'engine/api', 'engine/serve'];

const pure = { packages: ['zod'], builtins: 'none' } as const;
const node = { packages: 'any', builtins: 'any' } as const;
const page = { mayUseTypesOf: ['engine/api/router.ts'], packages: 'any', builtins: 'none' } as const;

export const importTable: readonly ImportRow[] = [
  { place: 'shared', may: [], ...pure },
  { place: 'engine/contract', may: ['shared'], ...pure },
  { place: 'engine/policy', may: ['shared'], packages: ['zod', 'jsonc-parser'], builtins: 'none' },
  { place: 'engine/budget', may: ['shared'], ...pure },
  ...carriers.map((place, index): ImportRow => ({ place, may: [...base, ...carriers.slice(0, index)], ...node })),
  ...adapters.map((place): ImportRow => ({ place, may: [...base, ...carriers], ...node })),
  { place: 'engine/guard', may: [...base, ...carriers, ...adapters], ...node },
  ...capabilities.map(
    (place): ImportRow => ({ place, may: base, mayUsePortsOf: [...carriers, ...adapters, 'engine/guard'], ...node }),
  ),
  { place: 'engine/run', may: engineParts.filter((place) => place !== 'engine/run'), ...node },
  { place: 'engine/api', may: ['shared'], packages: ['zod', '@trpc/server'], builtins: 'none' },
  { place: 'engine/serve', may: ['shared', 'engine/api', 'engine/net'], ...node },
  { place: 'engine/wiring', may: engineParts, ...node },
  { place: 'engine/index.ts', may: [...wholeEngine, 'engine/wiring'], ...node },
  { place: 'engine/utility.ts', may: [...wholeEngine, 'engine/wiring', 'engine/index.ts'], ...node },
  { place: 'cli', may: ['shared', 'engine/index.ts'], ...node },
  { place: 'main', may: ['shared'], ...node },
  { place: 'preload', may: ['shared'], ...page },
  { place: 'renderer', may: ['shared'], ...page },
];

/**
 * The files that declare ports (small interfaces that say what a folder does and not how), and helpers that know no adapter.
 * Of `process` only what starts nothing: a command of a tool or a check runs through the sandbox.
 */
export const portFiles: readonly string[] = [
  'engine/process/capture-output.ts',
  'engine/process/is-executable-file.ts',
  'engine/journal/journal.ts',
  'engine/net/web-url.ts',
  'engine/sandbox/private-directory.ts',
  'engine/sandbox/sandbox.ts',
  'engine/provider/model-provider.ts',
  'engine/guard/guard.ts',
  'engine/guard/to-command-text.ts',
];

const connections = ['engine/net', 'engine/serve'];

/** Packages and modules with one owner each: nobody else may import them, not even their types. */
export const reservedModules: Readonly<Record<string, readonly string[]>> = {
  electron: ['main', 'preload', 'engine/utility.ts'],
  'better-sqlite3': ['engine/journal'],
  'node:sqlite': ['engine/journal'],
  undici: ['engine/net'],
  'node:child_process': ['engine/process'],
  'node:cluster': ['engine/process'],
  'node:http': connections,
  'node:http2': connections,
  'node:https': connections,
  // Of `process` only the pipes of its children, which Node reads as sockets.
  'node:net': [...connections, 'engine/process'],
  'node:tls': connections,
  'node:dgram': connections,
};
