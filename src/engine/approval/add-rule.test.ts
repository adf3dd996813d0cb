import fc from 'fast-check';
import { parse, stripComments, visit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addRule, findRuleLine } from './add-rule.ts';

const rule = '{ "act": "exec", "effect": "allow", "pattern": "npm test" }';
const parsedRule: unknown = JSON.parse(rule);
const R = rule;

describe('where a rule is added', () => {
  const cases: [what: string, before: string, after: string][] = [
    [
      'an empty object gets layer and rule',
      '{\n}\n',
      `{\n  "layers": [\n    {\n      "name": "remembered",\n      "rules": [\n        ${R}\n      ]\n    }\n  ]\n}\n`,
    ],
    [
      'an object on one line stays on one line',
      '{"defaults":{"read":"allow"}}',
      `{"defaults":{"read":"allow"}, "layers": [ { "name": "remembered", "rules": [ ${R} ] } ]}`,
    ],
    [
      'another layer stays where it is',
      '{\n\t"layers": [\n\t\t{ "name": "mine", "rules": [] } // mine\n\t]\n}',
      `{\n\t"layers": [\n\t\t{ "name": "mine", "rules": [] }, // mine\n\t\t{\n\t\t\t"name": "remembered",\n\t\t\t"rules": [\n\t\t\t\t${R}\n\t\t\t]\n\t\t}\n\t]\n}`,
    ],
    [
      'a comment stays with the rule it stands behind',
      '{ "layers": [{ "name": "remembered", "rules": [\n  {} // why\n  // the end\n] }] }',
      `{ "layers": [{ "name": "remembered", "rules": [\n  {}, // why\n  ${R}\n  // the end\n] }] }`,
    ],
    [
      'a trailing comma is used, on whichever line',
      '{ "layers": [{ "name": "remembered", "rules": [\n  {} // a, b\n  , /* c */\n] }] }',
      `{ "layers": [{ "name": "remembered", "rules": [\n  {} // a, b\n  , /* c */\n  ${R}\n] }] }`,
    ],
    [
      'an empty list with a comment keeps it',
      '{ "layers": [{ "name": "remembered",\n  "rules": [ // none\n    // yet\n  ] }] }',
      `{ "layers": [{ "name": "remembered",\n  "rules": [ // none\n    ${R}\n    // yet\n  ] }] }`,
    ],
    [
      'an empty list is opened',
      '{ "layers": [{ "name": "remembered",\n  "rules": [] }] }',
      `{ "layers": [{ "name": "remembered",\n  "rules": [\n    ${R}\n  ] }] }`,
    ],
    [
      'a bracket on the line of the last rule gets a line of its own',
      '{ "layers": [{ "name": "remembered", "rules": [\n  {}\n, {}] }] }',
      `{ "layers": [{ "name": "remembered", "rules": [\n  {}\n, {},\n${R}\n] }] }`,
    ],
    [
      'line ends are kept',
      '{\r\n "layers": [{ "name": "remembered", "rules": [\r\n  {}\r\n ] }]\r\n}\r\n',
      `{\r\n "layers": [{ "name": "remembered", "rules": [\r\n  {},\r\n  ${R}\r\n ] }]\r\n}\r\n`,
    ],
    ['a text that holds no object is left alone', '[1]', '[1]'],
  ];
  it.each(cases)('%s', (_what, before, after) => {
    expect(addRule(before, rule)).toBe(after);
  });

  it('in a file of rules on lines of their own, one line is added (anthropics/claude-code#6911)', () => {
    const rules = Array.from(
      { length: 20 },
      (_, index) => `      { "act": "read", "effect": "deny", "pattern": "f${index}" }`,
    );
    const before = `{\n  "layers": [\n    { "name": "remembered", "rules": [\n${rules.join(',\n')}\n    ] }\n  ]\n}\n`;
    const after = addRule(before, rule);
    const added = after.split('\n').filter((line) => line.trim() === rule);
    const others = after.split('\n').filter((line) => line.trim() !== rule);
    expect({ added: added.length, others: others.join('\n').replace('"f19" },', '"f19" }') }).toEqual({
      added: 1,
      others: before,
    });
  });

  it('is told by its line', () => {
    const after = addRule('{\r\n  "layers": [\r\n  ]\r\n}', rule);
    expect(after.split('\r\n')[findRuleLine(after, 0, 0) - 1]?.trim()).toBe(rule);
  });

  it('does not take long, however many comments stand behind the last rule', () => {
    const before = `{"layers":[{"name":"remembered","rules":[{}${'/* x */ // y, z\n'.repeat(20_000)}]}]}`;
    expect(parse(addRule(before, rule))).toEqual(withRule(parse(before)));
  });
});

describe('whatever a file looks like', () => {
  const blank = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n\n    ', ' // a, "b" ]\n', '/* c } */', '\n// d\r\n  ');
  const item = fc.constantFrom('{}', '{ "act": "read" /* x */, "effect": "deny", "pattern": "a//b" }');
  const layerName = fc.constantFrom('"mine"', '"remembered"', '"other"');

  /** Members with blanks and comments around each of them, and sometimes a comma behind the last. */
  const list = (open: string, members: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
    fc
      .record({ members: fc.array(fc.tuple(blank, members, blank), { maxLength: 3 }), end: blank, comma: fc.boolean() })
      .map(
        ({ members: each, end, comma }) =>
          `${open}${each.map((parts) => parts.join('')).join(',')}${comma && each.length > 0 ? ',' : ''}${end}${close}`,
      );
  const layer = fc
    .tuple(layerName, blank, blank, list('[', item, ']'))
    .map(([name, before, after, rules]) => `{${before}"name": ${name},${after}"rules": ${rules}}`);
  const layers = list('[', layer, ']').map((text) => `"layers": ${text}`);
  const file = fc
    .tuple(blank, list('{', fc.oneof(layers, fc.constant('"defaults": {}')), '}'), blank)
    .map((parts) => parts.join(''))
    .filter((text) => (text.match(/"layers"/g) ?? []).length <= 1);

  it('everything that stands in it stands there afterwards, and one rule more', () => {
    fc.assert(
      fc.property(file, (before) => {
        const after = addRule(before, rule);
        expect({ value: parse(after), comments: readComments(after), contains: isSubsequence(before, after) }).toEqual({
          value: withRule(parse(before)),
          comments: readComments(before),
          contains: true,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('a second rule stands behind the first', () => {
    fc.assert(
      fc.property(file, (before) => {
        const after = addRule(addRule(before, rule), rule);
        expect(parse(after)).toEqual(withRule(withRule(parse(before))));
      }),
    );
  });
});

interface Parsed {
  readonly layers?: { name: string; rules: unknown[] }[];
}

/** The same value with the rule where it belongs, told another way. */
function withRule(value: Parsed): Parsed {
  const layers = structuredClone(value.layers ?? []);
  const layer = layers.find(({ name }) => name === 'remembered');
  if (layer === undefined) layers.push({ name: 'remembered', rules: [parsedRule] });
  else layer.rules.push(parsedRule);
  return { ...value, layers };
}

function readComments(text: string): string[] {
  const comments: string[] = [];
  visit(text, { onComment: (offset, length) => comments.push(text.slice(offset, offset + length)) });
  expect(stripComments(text)).not.toBe('');
  return comments;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at++;
  return at === part.length;
}
