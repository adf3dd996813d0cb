// A path as a model wrote it becomes the list of its parts, or a sentence that says why it names nothing in the workspace.
// Decides on the text alone; where the path really leads is found out by walking it.

export type ParsedPath =
  /** No parts: the workspace itself. */
  { readonly kind: 'path'; readonly parts: readonly string[] } | { readonly kind: 'refused'; readonly reason: string };

export const maxPathCharacters = 4096;

/** Drops empty and `.` parts and lets `..` take back the part before it. */
export function parseWorkspacePath(text: string, platform: NodeJS.Platform = process.platform): ParsedPath {
  const path = platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const problem = findProblem(path, platform);
  if (problem) return { kind: 'refused', reason: problem };
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined)
      return { kind: 'refused', reason: 'the path climbs above the workspace with ".."' };
  }
  return { kind: 'path', parts };
}

/** The path people and policies see: `.` for the workspace itself. */
export function toTarget(parts: readonly string[]): string {
  return parts.length === 0 ? '.' : parts.join('/');
}

/** The path of an entry of `directory`, which may also be absolute. */
export function toEntryTarget(directory: string, name: string): string {
  if (directory === '.') return name;
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

function findProblem(path: string, platform: NodeJS.Platform): string | undefined {
  if (path === '') return 'the path is empty; "." names the workspace itself';
  if (path.length > maxPathCharacters) return `the path is longer than ${maxPathCharacters} characters`;
  if (path.includes('\0')) return 'the path holds a NUL character';
  if (path.startsWith('/')) return 'absolute paths are refused; give the path relative to the workspace';
  if (platform === 'win32' && path.includes(':')) return 'drive letters and streams are refused; give a relative path';
  return undefined;
}
