// Reads a profile back the way its language is read, so that tests see rules and not text.

export interface Rule {
  readonly effect: string;
  readonly operations: readonly string[];
  /** Each as it was written. */
  readonly filters: readonly string[];
}

/** Its rules in their order, the version left out. Throws when brackets or quotes do not match. */
export function readProfile(profile: string): readonly Rule[] {
  return splitForms(profile).flatMap((form) => {
    const [effect = '', ...rest] = splitForms(form.slice(1, -1));
    if (effect === 'version') return [];
    return [
      {
        effect,
        operations: rest.filter((word) => !word.startsWith('(')),
        filters: rest.filter((word) => word.startsWith('(')),
      },
    ];
  });
}

/** The text inside the quotes of a filter, its escapes undone. */
export function readText(filter: string): string {
  const quoted = filter.slice(filter.indexOf('"') + 1, filter.lastIndexOf('"'));
  return quoted.replace(/\\(.)/g, (_, character) => ({ n: '\n', r: '\r' })[String(character)] ?? String(character));
}

/** Words, texts and bracketed forms of the uppermost level. */
function splitForms(text: string): string[] {
  const forms: string[] = [];
  let depth = 0;
  let form = '';
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+|\s+|"/gs) ?? []) {
    if (token === '"') throw new SyntaxError('A text does not end');
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth < 0) throw new SyntaxError('A bracket too many');
    if (depth > 0 || token.trim() !== '') form += token;
    if (depth > 0 || form === '') continue;
    forms.push(form);
    form = '';
  }
  if (depth !== 0) throw new SyntaxError('A bracket is missing');
  return forms;
}
