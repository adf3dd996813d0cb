// Secrets that are recognised by how they look: keys with a vendor's prefix, tokens, private keys, passwords in addresses
// and header lines. Every pattern starts at a literal and repeats one class of characters, so none can backtrack far.
import { type Mask, masked, wordStart } from './mask.ts';

/** Masks secrets of a known shape wherever they stand. */
export const maskSecretShapes: Mask = (text, count) => {
  let result = maskPrivateKeys(text, count);
  for (const { pattern, replace } of shapes) {
    result = result.replace(pattern, (...match: string[]) => {
      const replaced = replace(match);
      if (replaced !== null) count();
      return replaced ?? match[0] ?? '';
    });
  }
  return result;
};

interface Shape {
  readonly pattern: RegExp;
  /** The text to put in place of the match, or null when it is no secret after all. Gets the match and its groups. */
  readonly replace: (match: readonly string[]) => string | null;
}

const keyPrefixes = [
  // OpenAI, Anthropic, OpenRouter and the many that follow their form.
  'sk-[\\w-]{20,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_\\w{20,}',
  'gl(?:pat|ptt|dt|rt|cbt|oas|soat|ft|imt|agent|ffct)-[\\w.-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{10,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  'AIza[\\w-]{35}',
  'GOCSPX-[\\w-]{20,}',
  'ya29\\.[\\w-]{20,}',
  '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}',
  'whsec_[A-Za-z0-9+/=]{20,}',
  'npm_[A-Za-z0-9]{36}',
  'hf_[A-Za-z0-9]{30,}',
  'pypi-[\\w-]{50,}',
  '(?:gsk|dop_v1|dckr_pat|lin_api|ntn|sbp|shpat|shpss|tfp|r8)_[\\w-]{24,}',
  '(?:xai|pplx|tvly|figd|glsa)[-_][\\w-]{20,}',
  'dapi[0-9a-f]{32}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'hv[sb]\\.[\\w-]{24,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
].join('|');

// A value that is put in elsewhere is no secret: `$TOKEN`, `${token}`, `<token>`, `{{token}}`, `%TOKEN%`, `[redacted]`.
const notReference = '(?![$<{%[*])';

const shapes: readonly Shape[] = [
  {
    pattern: new RegExp(`(?:(?<=\\\\[nrt])|(?<![A-Za-z0-9_]))(?:${keyPrefixes})`, 'g'),
    replace: ([key = '']) => (looksRandom(key) ? masked : null),
  },
  {
    // JSON web tokens: two parts that begin with `{"`. Taken from the start of the word, which may hold many such beginnings.
    pattern: /(?:(?<=\\[nrt])|(?<![\w-]|\\(?=[nrt])))([\w-]{11,})\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
    replace: ([, word = '']) => {
      const start = word.search(/(?<![A-Za-z0-9_])eyJ/);
      return start === -1 ? null : word.slice(0, start) + masked;
    },
  },
  { pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]{20,}/g, replace: () => masked },
  {
    pattern: new RegExp(`(://[^\\s:@/'"\`]{0,128}:)${notReference}([^\\s@/'"\`\\\\]{1,512})(?=@)`, 'g'),
    replace: ([, before]) => before + masked,
  },
  {
    pattern: new RegExp(
      `${wordStart}(authorization["']?[ \\t]*[:=][ \\t]*["'\`]?(?:[A-Za-z][\\w-]{0,20}[ \\t]+)?)${notReference}([^\\s"'\`,;\\\\]{8,})`,
      'gi',
    ),
    replace: ([, before, value = '']) => (/\d/.test(value) || value.length >= 24 ? before + masked : null),
  },
  {
    pattern: new RegExp(`${wordStart}((?:bearer|basic)[ \\t]+)${notReference}([\\w.~+/-]{16,}=*)`, 'gi'),
    replace: ([, before, value = '']) => (/\d/.test(value) ? before + masked : null),
  },
  {
    pattern: new RegExp(
      `${wordStart}((?:set-)?cookie["']?[ \\t]*:[ \\t]*["'\`]?[\\w.-]{1,128}=)${notReference}([^\\r\\n"'\`\\\\]{4,})`,
      'gi',
    ),
    replace: ([, before]) => before + masked,
  },
];

/** A class name such as `sk-folding-cube-animation` has the form of a key, but no part of it mixes in digits. */
function looksRandom(key: string): boolean {
  return /^A[A-Z]IA/.test(key) || key.split(/[-_]/).some((part) => part.length >= 8 && /\d/.test(part));
}

const privateKeyStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// Without one the line is only talked about.
const keyText = /[A-Za-z0-9+/=]{24}/;

/** Keeps the lines that say what it is. A key whose end was cut off is masked as far as it goes. */
const maskPrivateKeys: Mask = (text, count) => {
  let result = '';
  let done = 0;
  for (const { index, 0: line } of text.matchAll(privateKeyStart)) {
    const start = index + line.length;
    const end = findKeyEnd(text, start);
    if (!keyText.test(text.slice(start, end))) continue;
    result += text.slice(done, start) + masked;
    done = end;
    count();
  }
  return result + text.slice(done);
};

/** The first place that cannot belong to a key's text, also where it stands in a listing or in a string. */
function findKeyEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && /[A-Za-z0-9+/=\s,:.\\|>]/.test(text.charAt(end))) end++;
  return end;
}
