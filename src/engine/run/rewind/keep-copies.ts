// Copies of what somebody else has made of files that are put back all the same. They are on the disk, in the engine's home,
// before anything is touched; nobody removes them but the person.
import { constants, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunId } from '../../../shared/id.ts';
import type { ChangedEntry } from '../../sandbox/sandbox.ts';
import { sync, withDescriptor, writeAll } from '../../sandbox/with-descriptor.ts';
import type { PlannedFile } from './planned-file.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The same files, each with where its copy lies. Throws what the file system says: then nothing has been touched. */
export async function keepCopies(home: string, runId: RunId, files: readonly PlannedFile[]): Promise<PlannedFile[]> {
  let shelf: string | null = null;
  const kept: PlannedFile[] = [];
  for (const file of files) {
    const before = file.change?.before ?? null;
    if (!file.isForeign || before === null || before.kind === 'directory') {
      kept.push(file);
      continue;
    }
    shelf ??= makeShelf(home, runId);
    const copy = join(shelf, file.path);
    await keep(copy, before);
    kept.push({ ...file, copy });
  }
  return kept;
}

function makeShelf(home: string, runId: RunId): string {
  const above = join(home, 'kept');
  mkdirSync(above, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(above, `${runId}-`));
}

async function keep(copy: string, entry: Exclude<ChangedEntry, { kind: 'directory' }>): Promise<void> {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  if (entry.kind === 'link') {
    symlinkSync(entry.target, copy);
    return;
  }
  await withDescriptor(copy, { flags: createFlags, mode: 0o600 }, async (descriptor) => {
    await writeAll(descriptor, entry.bytes);
    await sync(descriptor);
  });
}
