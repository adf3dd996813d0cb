// What one program does with its words, as far as they tell: filled by the reader of that program, in the order of the words.
import type { Word } from './word.ts';

export interface PathUse {
  readonly act: 'read' | 'write';
  readonly word: Word;
  readonly isDeep: boolean;
  /** It is relative to where the line starts, wherever the program runs. */
  readonly isFromStart?: boolean;
}

/** What git is told to take of the files that it keeps. */
export interface TrackedUse {
  /** Seen from where it runs, or absolute; null where nobody can tell. */
  readonly directory: string | null;
  readonly pathspecs: readonly string[];
}

/** What a program runs in its turn. */
export type Payload =
  /** Another program with these words; `directory` is where, seen from the outer one, or null where nobody can tell. */
  | { readonly kind: 'words'; readonly words: readonly Word[]; readonly directory: string | null }
  /** A text for a shell. */
  | { readonly kind: 'line'; readonly line: string; readonly directory: string | null }
  /** Anything. */
  | { readonly kind: 'hidden'; readonly reason: string };

/** Where an operand is a path: what it is opened for. `none`: it is no path. */
export type OperandUse = 'none' | 'read' | 'write' | 'both';

/** What a program is given besides its words. */
export interface ProgramSetting {
  /** The name by which it was called. */
  readonly program: string;
  /** The output of another command is what it reads where it names no file. */
  readonly isFed: boolean;
}

/** Reads the words after the program. */
export type ProgramReader = (words: readonly Word[], setting: ProgramSetting) => ProgramUse;

export class ProgramUse {
  readonly paths: PathUse[] = [];
  readonly nets: string[] = [];
  readonly payloads: Payload[] = [];
  /** Null for everything but git, and where it takes nothing of what it keeps. */
  tracked: TrackedUse | null = null;
  #opaque: string | null = null;

  /** Why its words do not tell everything; null where they do. */
  get opaque(): string | null {
    return this.#opaque;
  }

  /** Its words do not tell everything. The first reason is the one that is shown. */
  blur(reason: string): this {
    this.#opaque ??= reason;
    return this;
  }

  open(use: OperandUse, word: Word | null, isDeep = false): this {
    if (word === null) return this;
    if (use === 'read' || use === 'both') this.paths.push({ act: 'read', word, isDeep });
    if (use === 'write' || use === 'both') this.paths.push({ act: 'write', word, isDeep });
    return this;
  }

  /** A path of a repository, taken for one of the directory in which the line starts. */
  openFromStart(act: PathUse['act'], word: Word): this {
    this.paths.push({ act, word, isDeep: true, isFromStart: true });
    return this;
  }

  dial(target: string): this {
    this.nets.push(target);
    return this;
  }

  run(words: readonly Word[], directory: string | null = '.'): this {
    if (words.length > 0) this.payloads.push({ kind: 'words', words, directory });
    return this;
  }

  /** Runs what a word holds, where the word is literal. */
  runLine(word: Word | undefined, directory: string | null = '.'): this {
    if (word === undefined) return this;
    if (word.kind === 'open') return this.hide('the text it runs is not known');
    this.payloads.push({ kind: 'line', line: word.value, directory });
    return this;
  }

  /** It may run anything. */
  hide(reason: string): this {
    this.payloads.push({ kind: 'hidden', reason });
    return this;
  }
}
