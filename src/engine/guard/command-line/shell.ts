// What stays the same while one text for a shell is read, and the two ways down again: into a part of its tree, and into a
// text that a command of it hands to another shell.
import type { Directories, Ending } from './directories.ts';
import type { PartCollector } from './part-collector.ts';
import type { SyntaxNode } from './syntax-node.ts';

export interface Shell {
  readonly source: string;
  readonly parts: PartCollector;
  /** Names that stand for functions somewhere in the text. */
  readonly functions: ReadonlySet<string>;
  /** The output of another command is what it reads where it names no file. */
  readonly isFed: boolean;
  /** Reads one statement of the tree. */
  walk(node: SyntaxNode, directories: Directories): Ending;
  /** Reads a text inside this one; too many inside each other are hidden. */
  readNested(text: string, directories: Directories): Ending;
}

/** How one command stands in the text. */
export interface CommandSetting {
  readonly directories: Directories;
  /** Why it is not what its words say, for a reason that lies outside them. */
  readonly problem: string | null;
  /** A shell starts it: then it may be a builtin, a keyword or a function. */
  readonly isShell: boolean;
  /** How many commands it stands inside of. */
  readonly depth: number;
}

export function textOf({ source }: Shell, { start, end }: { start: number; end: number }): string {
  return source.slice(start, end);
}
