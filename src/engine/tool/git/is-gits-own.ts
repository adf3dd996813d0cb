// What git keeps of a repository's history while it adds, commits and makes branches. Nothing of it is ever run, and nothing
// of it names a program, a file of settings or another place where git would look for one.
import type { WorkspaceChange } from '../../sandbox/sandbox.ts';

/** Whether it may be changed by whoever may run git at all. A link never: it would make something else a part of this. */
export function isGitsOwn({ path, before, after }: WorkspaceChange): boolean {
  return before?.kind !== 'link' && after?.kind !== 'link' && ownPath.test(path);
}

const files = [
  'HEAD',
  'ORIG_HEAD',
  'index',
  'sharedindex\\.[0-9a-f]+',
  'packed-refs',
  'COMMIT_EDITMSG',
  'SQUASH_MSG',
  'MERGE_(?:HEAD|MODE|MSG|RR)',
  'AUTO_MERGE',
  '(?:CHERRY_PICK|REVERT)_HEAD',
];

const directories = [
  '(?:logs|refs)(?:/.*)?',
  'objects(?:/[0-9a-f]{2}(?:/[0-9a-f]+)?)?',
  'objects/pack(?:/pack-[0-9a-f]+\\.[a-z]+)?',
];

const ownPath = new RegExp(`^\\.git/(?:${[...files, ...directories].join('|')})$`);
