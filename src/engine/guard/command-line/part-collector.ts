// Gathers the parts of one line, each once, in the order in which they were found. A line of more parts than anybody would
// read through is one opaque part besides those that were found.
import type { Directories } from './directories.ts';
import type { LinePart, OpaquePart, PathPart, TrackedScope } from './line-part.ts';
import { toPath, toWordsText, type Word } from './word.ts';

const maxParts = 500;
/** Why a line is not read to its end: a reason for refusing it, as what is left out is judged by nobody. */
export const tooManyParts = 'it has too many parts';
const maxTextLength = 1024 * 1024;

export interface OpenCommand {
  readonly words: readonly Word[];
  readonly reason: string;
  readonly tracked?: TrackedScope | null;
}

export class PartCollector {
  readonly #parts = new Map<string, LinePart>();
  #textLength = 0;
  #isFull = false;

  /** All that was found; never empty. */
  finish(line: string): readonly LinePart[] {
    if (this.#isFull) this.#parts.set('full', toOpaque(line, null, tooManyParts, null));
    if (this.#parts.size === 0) this.#parts.set('empty', toOpaque(line, null, 'it holds no command', '.'));
    return [...this.#parts.values()];
  }

  command(words: readonly [string, ...string[]], directories: Directories, tracked: TrackedScope | null = null): void {
    const [program] = words;
    const dependsOnDirectory = program.includes('/') && !program.startsWith('/');
    const places = dependsOnDirectory && directories !== null ? directories : [toDirectory(directories)];
    for (const directory of places) this.#add({ kind: 'command', words, directory, ...toTracked(tracked) });
  }

  /** What runs this program, but with words or in a way that are not known. */
  openCommand(program: string | null, { words, reason, tracked = null }: OpenCommand, directories: Directories): void {
    const part = toOpaque(toWordsText(words), program, reason, toDirectory(directories));
    this.#add({ ...part, ...toTracked(tracked) });
  }

  /** What may run anything at all. */
  hidden(text: string, reason: string, directories: Directories): void {
    this.#add(toOpaque(text, null, reason, toDirectory(directories)));
  }

  path(act: 'read' | 'write', word: Word, isDeep: boolean, directories: Directories): void {
    const path = toPath(word);
    if (path === null || path === '' || isHarmlessDevice(path)) return;
    const part = { kind: 'path', act, path, isDeep, ...toGlob(word) } as const;
    if (path.startsWith('/') || path.startsWith('~/') || path === '~') {
      this.#add({ ...part, directory: '/' });
      return;
    }
    if (directories === null) this.#add(toOpaque(path, null, `nobody can tell where this ${act} takes place`, null));
    else for (const directory of directories) this.#add({ ...part, directory });
  }

  net(target: string): void {
    this.#add({ kind: 'net', target });
  }

  #add(part: LinePart): void {
    const key = toKey(part);
    if (this.#parts.has(key)) return;
    this.#isFull ||= this.#parts.size >= maxParts || this.#textLength + key.length > maxTextLength;
    if (this.#isFull) return;
    this.#textLength += key.length;
    this.#parts.set(key, part);
  }
}

/** Parts with the same key are the same. */
function toKey(part: LinePart): string {
  switch (part.kind) {
    case 'command':
      return `command\0${part.directory}\0${part.tracked?.directories}\0${part.words.join('\0')}`;
    case 'opaque':
      return `opaque\0${part.directory}\0${part.tracked?.directories}\0${part.program}\0${part.reason}\0${part.text}`;
    case 'path':
      return `${part.act}\0${part.directory}\0${part.isDeep}\0${part.path}\0${part.glob ?? ''}`;
    case 'net':
      return `net\0${part.target}`;
  }
}

function toOpaque(text: string, program: string | null, reason: string, directory: string | null): OpaquePart {
  return { kind: 'opaque', text, program, reason, directory };
}

function toGlob(word: Word): Pick<PathPart, 'glob'> {
  return word.kind === 'open' && word.glob !== undefined ? { glob: word.glob } : {};
}

function toTracked(tracked: TrackedScope | null): { readonly tracked?: TrackedScope } {
  return tracked === null ? {} : { tracked };
}

function toDirectory(directories: Directories): string | null {
  return directories?.length === 1 ? (directories[0] ?? null) : null;
}

/** Streams the command has anyway, and devices that hold nothing. */
function isHarmlessDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/.test(path);
}
