// Reads what a TypeScript file imports: declarations, re-exports, dynamic imports, import types and `require`. It reads the
// syntax tree and not the text, so comments and strings that look like imports are none.
import { type ESTree, parseSync, Visitor } from 'vite';

export interface ImportSite {
  /** Null when the module is computed at run time. */
  readonly specifier: string | null;
  readonly line: number;
  /** `type` only where the whole statement disappears on compilation. */
  readonly kind: 'type' | 'value';
}

export function readImports(fileName: string, source: string): ImportSite[] {
  const { program, errors } = parseSync(fileName, source);
  if (errors[0] !== undefined) throw new SyntaxError(`${fileName}: ${errors[0].message}`);
  const sites: ImportSite[] = [];
  const add = (node: ESTree.Node, target: ESTree.Node | null | undefined, kind: ImportSite['kind']): void => {
    sites.push({ specifier: toSpecifier(target), line: toLine(source, node.start), kind });
  };
  new Visitor({
    // `import { type A }` stays as a side-effect import under verbatimModuleSyntax; only `import type` is erased.
    ImportDeclaration: (node) => add(node, node.source, node.importKind === 'type' ? 'type' : 'value'),
    ExportAllDeclaration: (node) => add(node, node.source, node.exportKind === 'type' ? 'type' : 'value'),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node, node.source, node.exportKind === 'type' ? 'type' : 'value');
    },
    ImportExpression: (node) => add(node, node.source, 'value'),
    TSImportType: (node) => add(node, node.source, 'type'),
    TSExternalModuleReference: (node) => add(node, node.expression, 'value'),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') add(node, node.arguments[0], 'value');
    },
  }).visit(program);
  return sites.sort((left, right) => left.line - right.line);
}

function toSpecifier(node: ESTree.Node | null | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

function toLine(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
