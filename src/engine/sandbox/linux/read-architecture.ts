/** The processor that system calls are made on, of those whose numbers are known here. */
export function readArchitecture(): 'x64' | 'arm64' {
  return process.arch === 'arm64' ? 'arm64' : 'x64';
}
