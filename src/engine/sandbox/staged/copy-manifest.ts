// What was copied: every entry of the workspace as it was then, and its copy as it was made.
import type { BigIntStats } from 'node:fs';

export class CopyManifest {
  readonly #copied = new Map<string, { readonly source: string; readonly copy: string }>();
  readonly #names = new Map<string, string[]>();

  /** `directory` is relative; empty for the workspace itself. */
  add(directory: string, name: string, source: BigIntStats, copy: BigIntStats): void {
    const names = this.#names.get(directory) ?? [];
    this.#names.set(directory, names);
    names.push(name);
    this.#copied.set(toPath(directory, name), { source: toVersion(source), copy: toVersion(copy) });
  }

  /** The names that were copied from a directory. */
  namesIn(directory: string): readonly string[] {
    return this.#names.get(directory) ?? [];
  }

  /** Whether the copy is still as it was made. */
  isUntouched(path: string, copy: BigIntStats): boolean {
    return this.#copied.get(path)?.copy === toVersion(copy);
  }

  /** Whether what lies in the workspace (null: nothing) is still what was copied, or was not there to be copied. */
  isCurrent(path: string, now: BigIntStats | null): boolean {
    return this.#copied.get(path)?.source === (now === null ? undefined : toVersion(now));
  }
}

function toPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** Every change of a content, a mode or an owner alters one of these. */
function toVersion({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mode}:${size}:${mtimeNs}:${ctimeNs}`;
}
