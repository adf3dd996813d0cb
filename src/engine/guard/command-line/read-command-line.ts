// Reads command lines into parts. What can be said of a line is said; whatever is not understood becomes an opaque part, so
// that a reading never holds less than the shell would do.
import { anywhere, type Directories, type Ending, startDirectories } from './directories.ts';
import type { LinePart } from './line-part.ts';
import { loadBashParser, type ParseLine } from './load-bash-parser.ts';
import { PartCollector } from './part-collector.ts';
import { readCommand } from './read-command.ts';
import type { Shell } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkStatement } from './walk-statement.ts';
import { toLiteralWord } from './word.ts';

export type { LinePart } from './line-part.ts';

/** Reads command lines. Neither way in throws, whatever the text is. */
export interface CommandLineReader {
  /** Everything in a line for `bash -c`; never empty. */
  readLine(line: string): readonly LinePart[];
  /** Everything in a program and its arguments that no shell will see; never empty. */
  readArgv(argv: readonly [string, ...string[]]): readonly LinePart[];
}

const maxLineLength = 64 * 1024;
const maxNesting = 8;

/** Loads the grammar once for the process; cheap to call again. */
export async function openCommandLineReader(): Promise<CommandLineReader> {
  const parse = await loadBashParser();
  return {
    readLine: (line) => {
      const parts = new PartCollector();
      readText({ parse, parts, nesting: 0 }, line, startDirectories);
      return parts.finish(line);
    },
    readArgv: (argv) => {
      const parts = new PartCollector();
      const shell = toShell({ parse, parts, nesting: 0 }, '', new Set());
      if (argv.some((word) => word.includes('\0')))
        parts.hidden(argv.join(' '), 'it holds characters that no command line can hold', startDirectories);
      readCommand(shell, argv.map(toLiteralWord), {
        directories: startDirectories,
        problem: null,
        isShell: false,
        depth: 0,
      });
      return parts.finish(argv.join(' '));
    },
  };
}

interface Reading {
  readonly parse: ParseLine;
  readonly parts: PartCollector;
  /** In how many texts for a shell this one stands. */
  readonly nesting: number;
}

function readText(reading: Reading, line: string, directories: Directories): Ending {
  const hide = (reason: string): Ending => {
    reading.parts.hidden(line.slice(0, maxLineLength), reason, directories);
    return anywhere;
  };
  if (line.length > maxLineLength) return hide('it is too long to be read');
  if (reading.nesting > maxNesting) return hide('too many texts for a shell stand inside each other');
  if (line.includes('\0') || !line.isWellFormed()) return hide('it holds characters that no command line can hold');
  const tree = reading.parse(line);
  if (tree === null) return hide('it is too intricate to be read');
  const functions = new Set<string>();
  findFunctions(tree.root, line, functions);
  const ending = toShell(reading, line, functions).walk(tree.root, directories);
  return tree.problem === null ? ending : hide(tree.problem);
}

function toShell(reading: Reading, source: string, functions: ReadonlySet<string>): Shell {
  const shell: Shell = {
    source,
    parts: reading.parts,
    functions,
    isFed: false,
    walk: (node, directories) => walkStatement(shell, node, directories),
    readNested: (text, directories) => readText({ ...reading, nesting: reading.nesting + 1 }, text, directories),
  };
  return shell;
}

/** A name means its function wherever it stands: in a loop the line comes back to what is above. */
function findFunctions({ type, children }: SyntaxNode, source: string, functions: Set<string>): void {
  if (type === 'function_definition') {
    const name = children.find((child) => child.type === 'word');
    if (name !== undefined) functions.add(source.slice(name.start, name.end));
  }
  for (const child of children) findFunctions(child, source, functions);
}
