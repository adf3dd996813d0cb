/** Whether a real path lies where every sandbox can look anyway. */
export function isBelowUsr(path: string): boolean {
  return path === '/usr' || path.startsWith('/usr/');
}
