// What the reader of command lines says: everything that a line would run, read, write and dial, part by part. Each part is
// judged by itself and all must pass, so a reader that says too little is a hole and one that says too much only asks.

export type LinePart = CommandPart | OpaquePart | PathPart | NetPart;

/** A program that is run with these words, all of them literal. A program named by a relative path has a directory. */
export interface CommandPart {
  readonly kind: 'command';
  /** The first is the program. */
  readonly words: readonly [string, ...string[]];
  /** Where it runs: relative to where the line starts (`.`), absolute, or null where it may be several or any. */
  readonly directory: string | null;
  readonly tracked?: TrackedScope;
}

/** Something that cannot be seen through: at best it is asked about. */
export interface OpaquePart {
  readonly kind: 'opaque';
  /** The source text of the part. */
  readonly text: string;
  /** The program that runs, where at least that is literal. */
  readonly program: string | null;
  /** Why nobody can say what it does, as the end of a sentence for people. */
  readonly reason: string;
  readonly directory: string | null;
  readonly tracked?: TrackedScope;
}

/** The files of which a command of git shows, stages or puts back what git itself keeps. */
export interface TrackedScope {
  /** Where git is started: relative to where the line starts, or absolute; null where nobody can tell. */
  readonly directories: readonly string[] | null;
  /** As git takes them; without any, everything that it keeps is meant. */
  readonly pathspecs: readonly string[];
}

/** A file or directory that an operand or a redirect names, as written. `~/` at its head is the home of the command. */
export interface PathPart {
  readonly kind: 'path';
  readonly act: 'read' | 'write';
  readonly path: string;
  /** What a relative path is relative to. */
  readonly directory: string;
  /** Where it is a directory, everything below it is meant as well. */
  readonly isDeep: boolean;
  /** What is meant is not the directory at `path` but what this pattern of the shell matches below it. */
  readonly glob?: string;
}

/** Somewhere that is dialled: `host:port`. */
export interface NetPart {
  readonly kind: 'net';
  readonly target: string;
}
