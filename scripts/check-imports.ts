// Checks every import under `src` against the table, and that neither files nor folders import each other in a circle.
// Prints one `file:line: rule` for each problem; ends with code 1 when there is one. Test files may import anything.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { findCycles } from './find-cycles.ts';
import { judgeImport, resolveModule } from './judge-import.ts';
import { readImports } from './read-imports.ts';

export interface ImportProblem {
  /** Relative to the source folder. */
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

interface Edge {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

export function checkImports(sourceFolder: string): ImportProblem[] {
  const problems: ImportProblem[] = [];
  const edges: Edge[] = [];
  for (const file of listSourceFiles(sourceFolder)) {
    for (const site of readImports(file, readFileSync(join(sourceFolder, file), 'utf8'))) {
      const rule = judgeImport(file, site);
      if (rule !== null) problems.push({ file, line: site.line, rule });
      if (site.specifier?.startsWith('.')) {
        edges.push({ file, line: site.line, from: file, to: resolveModule(file, site.specifier) });
      }
    }
  }
  return [...problems, ...findCycleProblems(edges), ...findCycleProblems(toFolderEdges(edges))];
}

function listSourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort();
}

/** A port lies above its adapters, so a folder and its own subfolder may import each other. */
function toFolderEdges(edges: readonly Edge[]): Edge[] {
  return edges
    .map((edge) => ({ ...edge, from: posix.dirname(edge.from), to: posix.dirname(edge.to) }))
    .filter(({ from, to }) => !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`));
}

function findCycleProblems(edges: readonly Edge[]): ImportProblem[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return findCycles(graph).flatMap((cycle) => {
    const [from = '', to = from] = cycle;
    const edge = edges.find((candidate) => candidate.from === from && candidate.to === to);
    return edge === undefined
      ? []
      : [{ file: edge.file, line: edge.line, rule: `import cycle: ${[...cycle, from].join(' -> ')}` }];
  });
}

if (import.meta.main) {
  const sourceFolder = resolve(process.argv[2] ?? join(import.meta.dirname, '../src'));
  const shown = relative(process.cwd(), sourceFolder);
  const problems = checkImports(sourceFolder);
  for (const { file, line, rule } of problems) console.error(`${posix.join(shown, file)}:${line}: ${rule}`);
  if (problems.length > 0) process.exitCode = 1;
}
