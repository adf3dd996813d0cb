// What the name of a value says about it. Pure and by words, so that `dbPassword`, `DB_PASSWORD` and `db-password` are one.

/**
 * `password`: chosen by people, so it may be short and plain. `token`: made by machines. `key`: some constant whose name
 * ends in KEY, which is a secret only if its value looks like one.
 */
export type SecretKind = 'password' | 'token' | 'key';

/** The kind of secret that a value of this name is, or null for an ordinary name. */
export function toSecretKind(name: string): SecretKind | null {
  const words = toWords(name);
  while (words.length > 1 && suffixes.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (passwordWords.has(last)) return 'password';
  if (tokenWords.has(last)) return pagingWords.has(before) ? null : 'token';
  if (last !== 'key') return null;
  // Headers that somebody made up are there to be let in with.
  if (secretKeyWords.has(before) || /^x-/i.test(name)) return 'token';
  return /^[A-Z0-9_]+$/.test(name) && before !== '' && !publicKeyWords.has(before) ? 'key' : null;
}

function toWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

// `API_KEY_2`, `TOKEN_PROD`: which one of several it is.
const suffixes = /^(?:v?\d+|prod|production|staging|stage|dev|test|live|old|new|primary|secondary|base64|b64)$/;

const passwordWords = new Set(['password', 'passwd', 'passphrase', 'passcode', 'pwd', 'pass']);
const tokenWords = new Set(
  'token secret secrets credential credentials bearer jwt auth apikey accesskey secretkey privatekey authtoken accesstoken'.split(
    ' ',
  ),
);
/** A place in a list, not a right: `nextPageToken`. */
const pagingWords = new Set(['page', 'next', 'continuation', 'cursor', 'sync', 'cancel', 'cancellation', 'max']);
const secretKeyWords = new Set(
  'api access secret private auth encryption signing signature master session service account client subscription deploy license'.split(
    ' ',
  ),
);
const publicKeyWords = new Set(
  'public primary foreign sort partition cache query object storage idempotency routing group hash index unique row column hot map dict'.split(
    ' ',
  ),
);
