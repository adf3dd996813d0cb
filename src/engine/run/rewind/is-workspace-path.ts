import { isAbsolute } from 'node:path';

/** Whether a path of the journal can be one of the workspace: another would lead out of the shelf. */
export const isWorkspacePath = (path: string): boolean =>
  path !== '' && !isAbsolute(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
