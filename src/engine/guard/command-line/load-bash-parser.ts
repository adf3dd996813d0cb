// The grammar of bash, loaded once for the process. A line that takes it too long is given up, and is opaque then: only text
// made for that comes near the limits, so an ordinary line is read in the same way on a busy machine.
import { createRequire } from 'node:module';
import type { Language, Parser, Tree } from 'web-tree-sitter';
import { EngineError } from '../../../shared/engine-error.ts';
import { type SyntaxTree, toSyntaxTree } from './syntax-node.ts';

/** The tree of a line; null when it took longer than a line may. */
export type ParseLine = (line: string) => SyntaxTree | null;

/** How often the parser may report progress on one line, which it does after some of its steps; a step can be a long one. */
const maxReports = 8000;
const maxParseMs = 1000;

let loading: Promise<ParseLine> | undefined;

/** Loads the grammar on the first call and gives the same parser ever after. */
export function loadBashParser(): Promise<ParseLine> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw new EngineError('internal', 'the grammar that command lines are read with cannot be loaded', {
      remedy: 'install the program again: a file of it is missing or damaged',
      cause: error,
    });
  });
  return loading;
}

async function load(): Promise<ParseLine> {
  // Loaded with the first line: a run without commands does without it.
  const { Language, Parser } = await import('web-tree-sitter');
  const { resolve } = createRequire(import.meta.url);
  await Parser.init({ locateFile: () => resolve('web-tree-sitter/web-tree-sitter.wasm') });
  const parser = new Parser();
  const language = await Language.load(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
  parser.setLanguage(language);
  return (line) => parse(parser, language, line);
}

function parse(parser: Parser, language: Language, line: string): SyntaxTree | null {
  let reports = 0;
  const deadline = performance.now() + maxParseMs;
  const isOver = () => ++reports > maxReports || performance.now() > deadline;
  const tree = tryParse(parser, line, isOver);
  if (tree === null) {
    // Without this the next line would be taken for the rest of this one.
    parser.reset();
    return null;
  }
  const cursor = tree.walk();
  try {
    return toSyntaxTree(cursor, { source: line, hasError: tree.rootNode.hasError, language });
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** A parser that breaks down over a line says of it as little as one that gives up. */
function tryParse(parser: Parser, line: string, isOver: () => boolean): Tree | null {
  try {
    return parser.parse(line, null, { progressCallback: isOver });
  } catch {
    return null;
  }
}
