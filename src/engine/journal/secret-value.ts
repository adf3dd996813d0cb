// Whether a value that stands under a secret's name is a secret: not a variable, a type, a path or a stand-in for one.
import type { SecretKind } from './secret-name.ts';

/** How the value is written: as in an environment file, as a header of our own, in quotes, or bare as in YAML and code. */
export type ValueStyle = 'environment' | 'header' | 'quoted' | 'bare';

/** Whether `value` is a secret of this kind. Where it is written says how sure one has to be. */
export function isSecretValue(value: string, kind: SecretKind, style: ValueStyle): boolean {
  // First, because it is the cheapest to ask and settles most of what code assigns.
  if ((style === 'bare' || style === 'header') && !mixes(value)) return false;
  if (isStandIn(value) || isPath(value)) return false;
  switch (style) {
    case 'environment':
      return isSecretInEnvironment(value, kind);
    case 'header':
      return value.length >= 8 && !isVariable(value);
    case 'quoted':
      return isSecretInQuotes(value, kind);
    case 'bare':
      return !isVariable(value) && !typeNames.test(value) && isSecretBare(value, kind);
  }
}

function isSecretInEnvironment(value: string, kind: SecretKind): boolean {
  if (kind === 'password') return value.length >= 4;
  if (/^\d{1,7}$/.test(value)) return false;
  return value.length >= (kind === 'key' && !/\d/.test(value) ? 16 : 8);
}

function isSecretInQuotes(value: string, kind: SecretKind): boolean {
  if (kind === 'key') return hasRandomPart(value, 10);
  if (isWordList(value) || isReference(value)) return false;
  if (kind === 'password') return value.length >= (/[^A-Za-z_]/.test(value) ? 4 : 16);
  return value.length >= 8 && (mixes(value) || value.length >= 24);
}

function isSecretBare(value: string, kind: SecretKind): boolean {
  if (isWordList(value)) return false;
  if (kind === 'password') return value.length >= 6;
  if (kind === 'key') return hasRandomPart(value, 16);
  return value.length >= 12 && (!isName(value) || (value.match(/\d+/g) ?? []).length >= 3);
}

// `$TOKEN`, `${token}`, `<token>`, `{{token}}`, `%TOKEN%`, `[redacted]`, `your-token-here`, `xxxx`.
const isStandIn = (value: string): boolean =>
  /^(?:[$<{%[(]|your[-_ ]?|change[-_]?me|placeholder|example|x{3}|\*+|\.{3}|(?:null|none|nil|true|false|undefined)$)/i.test(
    value,
  ) || /^(.)\1*$/.test(value);

const isPath = (value: string): boolean => /^(?:\.{0,2}\/|~\/|urn:|[A-Za-z][\w+.-]{1,20}:\/\/|[A-Za-z]:\\)/.test(value);

/** What code calls a value, when that says again what it is: `newPassword2`, `self.token2`. */
const isVariable = (value: string): boolean =>
  isReference(value) || (isName(value) && /pass|pwd|token|secret|key/i.test(value));

const isName = (value: string): boolean => /^[A-Za-z_]\w*$/.test(value);

/** `process.env.TOKEN`, `this.#token2`, `config::token`. */
const isReference = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:(?:\.#?|::|->|\?\.)[A-Za-z_$][\w$]*)+$/.test(value);

/** `keyword.operator`, `must-not-be-empty`: lower-case words with something between them. */
const isWordList = (value: string): boolean => /^[a-z]+(?:[-_./:][a-z]+)+$/.test(value);

const typeNames = /^(?:u?int|float|utf|base|sha|md|argon|bcrypt|ascii|latin)[-_]?\d+/i;

const mixes = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

function hasRandomPart(value: string, length: number): boolean {
  return value.split(/[-_.:/]/).some((part) => part.length >= length && mixes(part));
}
