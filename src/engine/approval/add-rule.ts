// Where in the text of a policy file a remembered rule goes: behind the others of the layer `remembered`, which is made when
// it is missing. Pure; everything else in the text stays byte for byte.
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { insertLast, type TextLayout } from './insert-last.ts';

/** The layer that holds what people had remembered. */
export const rememberedLayer = 'remembered';

/** The text with one more rule, itself JSON on one line; the same text where it holds no object to put a rule in. */
export function addRule(text: string, rule: string): string {
  const root = readTree(text);
  if (root === null) return text;
  const layout = readLayout(text);
  const layers = findNodeAtLocation(root, ['layers']);
  if (layers === undefined)
    return insertLast(text, root, nest('"layers": [', toLayerLines(rule, layout), ']', layout), layout);
  const rules = findRules(layers);
  if (rules === undefined) return insertLast(text, layers, toLayerLines(rule, layout), layout);
  return insertLast(text, rules, [rule], layout);
}

/** The line, from 1, on which a rule stands; `layer` and `rule` are its places in the lists. */
export function findRuleLine(text: string, layer: number, rule: number): number {
  const root = readTree(text);
  const node = root === null ? undefined : findNodeAtLocation(root, ['layers', layer, 'rules', rule]);
  return text.slice(0, node?.offset ?? 0).split(/\r\n|\n|\r/).length;
}

function readTree(text: string): Node | null {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root?.type === 'object' ? root : null;
}

function findRules(layers: Node): Node | undefined {
  const layer = layers.children?.find((each) => findNodeAtLocation(each, ['name'])?.value === rememberedLayer);
  return layer === undefined ? undefined : findNodeAtLocation(layer, ['rules']);
}

function toLayerLines(rule: string, layout: TextLayout): string[] {
  const rules = nest('"rules": [', [rule], ']', layout);
  return nest('{', [`"name": ${JSON.stringify(rememberedLayer)},`, ...rules], '}', layout);
}

const nest = (open: string, lines: readonly string[], close: string, { unit }: TextLayout): string[] => [
  open,
  ...lines.map((line) => unit + line),
  close,
];

/** As the text does it itself: the first line that is indented says how. */
function readLayout(text: string): TextLayout {
  const unit = /[\n\r](\t+| +)\S/.exec(text)?.[1] ?? '  ';
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit };
}
