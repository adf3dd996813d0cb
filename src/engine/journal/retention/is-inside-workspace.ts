/** Whether a path of an event is one that the engine would have written: relative, plain, and without a way out. */
export function isInsideWorkspace(path: string): boolean {
  if (path === '' || path.length > 4096 || path.includes('\0') || path.includes('\\')) return false;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return false;
  return !path.split('/').includes('..');
}
