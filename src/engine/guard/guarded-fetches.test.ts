import { describe, expect, it } from 'vitest';
import type { FetchPage } from '../net/fetch-page.ts';
import { composePolicy } from '../policy/compose-policy.ts';
import { createGuardedFetches } from './guarded-fetches.ts';

const never = new AbortController().signal;
const address = '192.0.2.1:443';
const onHop = () => undefined;

interface Setting {
  readonly byDefault?: 'allow' | 'ask' | 'deny';
  readonly allow?: readonly string[];
  readonly permitted?: 'allow' | 'ask';
}

/** Where one ends up whom `moves` send on; nothing is connected to. */
async function follow(start: string, moves: Readonly<Record<string, string>>, setting: Setting) {
  const { byDefault = 'deny', allow = [], permitted = 'allow' } = setting;
  const rules = allow.map((pattern) => ({ act: 'net', effect: 'allow', pattern }) as const);
  const policy = composePolicy([
    { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules }], defaults: { net: byDefault } } },
  ]);
  const content = { contentType: '', bytes: Buffer.alloc(0), droppedBytes: 0, address };
  const fetchPage: FetchPage = async ({ url }) => {
    const location = moves[url.href];
    return location === undefined ? { kind: 'page', status: 200, ...content } : { kind: 'moved', location, address };
  };
  const stance = { policy, isTainted: false, isolation: 'none' };
  const end = await createGuardedFetches({ permission: { stance, permitted }, fetchPage, onHop }).get(start, never);
  return end.kind === 'refused' ? end.because : end.kind === 'fetched' ? end.url : end.reason;
}

const [plain, secure] = ['http://a.example/', 'https://a.example/'];
const down = { [secure]: plain };
const up = { [plain]: secure };
const unencrypted =
  'it leads on to http://a.example/, and no rule allows that host without encryption: call again with that URL, and it is judged by itself';

describe('a redirect between http and https', () => {
  it.each<[string, string, Readonly<Record<string, string>>, Setting, string]>([
    ['up, where both are allowed', plain, up, { byDefault: 'allow' }, secure],
    ['up, where a rule allows the host', plain, up, { allow: ['a.example'] }, secure],
    ['up, where a rule allows one port', plain, up, { allow: ['*:80'] }, 'denied'],
    ['up, where a yes was given to one port', plain, up, { byDefault: 'ask', permitted: 'ask' }, 'must be asked for'],
    ['down, by default', secure, down, { byDefault: 'allow' }, unencrypted],
    ['down, where a rule allows the host', secure, down, { allow: ['a.example'] }, plain],
    ['down, where a rule allows that port', secure, down, { allow: ['a.example:80', '*:443'] }, plain],
    ['down, where a rule allows the other port', secure, down, { allow: ['*:443'] }, 'denied'],
    ['up and down again', plain, { ...up, ...down }, { byDefault: 'allow' }, unencrypted],
    [
      'up and down again to what a yes was given to',
      plain,
      { ...up, ...down },
      { byDefault: 'ask', allow: ['*:443'], permitted: 'ask' },
      unencrypted,
    ],
  ])('goes %s', async (_title, start, moves, setting, end) => {
    expect(await follow(start, moves, setting)).toContain(end);
  });
});

describe('fetching', () => {
  it('fetches nothing where nothing can be fetched with', async () => {
    const stance = { policy: composePolicy([]), isTainted: false, isolation: 'none' };
    const fetches = createGuardedFetches({ permission: { stance, permitted: 'ask' }, fetchPage: null, onHop });
    expect(await fetches.get(plain, never)).toEqual({ kind: 'failed', reason: 'nothing is fetched here', hops: [] });
  });
});
